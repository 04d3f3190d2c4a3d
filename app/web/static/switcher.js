// Ctrl-K: to a note by its name, from every page, by the keyboard alone.
"use strict";
{
  const dialog = document.getElementById("switcher");
  const typed = document.getElementById("switcher-typed");
  const list = document.getElementById("switcher-names");
  const PAUSE = 40; // milliseconds
  let waiting;
  let asked;
  let chosen = 0;
  const choose = (at) => {
    const rows = [...list.children].filter((row) => row.dataset.url);
    if (!rows.length) return;
    chosen = (at + rows.length) % rows.length;
    rows.forEach((row, number) => row.setAttribute("aria-selected", number === chosen));
    typed.setAttribute("aria-activedescendant", rows[chosen].id);
    rows[chosen].scrollIntoView({ block: "nearest" });
  };
  const show = (names) => {
    list.replaceChildren(...names.map(({ name, where, url }, number) => {
      const row = document.createElement("li");
      row.id = `switcher-${number}`;
      row.role = "option";
      row.dataset.url = url;
      row.append(name);
      const said = document.createElement("span");
      said.className = "soft";
      said.textContent = where;
      row.append(said);
      return row;
    }));
    typed.removeAttribute("aria-activedescendant");
    if (names.length) choose(0);
    else {
      const none = document.createElement("li");
      none.role = "option";
      none.className = "soft";
      none.textContent = dialog.dataset.none;
      list.append(none);
    }
  };
  const look = async () => {
    asked?.abort();
    const own = asked = new AbortController();
    try {
      const answer = await fetch(`/names?q=${encodeURIComponent(typed.value)}`, { signal: own.signal });
      if (answer.ok) show(await answer.json());
    } catch (error) {
      if (error.name === "AbortError") return;
      list.replaceChildren();
      document.dispatchEvent(new Event("unanswered"));
    }
  };
  const open = () => {
    if (dialog.open) return;
    typed.value = "";
    dialog.showModal();
    look();
  };
  document.getElementById("switch").addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      open();
    }
  });
  document.addEventListener("answering", () => { if (dialog.open) look(); });
  typed.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, PAUSE);
  });
  dialog.addEventListener("keydown", (event) => {
    // A dialog just closed holds the focus until the next frame is drawn: what is pressed then is the page's.
    if (!dialog.open) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && event.shiftKey) {
      location.href = `/?q=${encodeURIComponent(typed.value)}`;
    } else if (event.key === "Enter") {
      const row = list.querySelector("[aria-selected=true]");
      if (row) location.href = row.dataset.url;
    }
    event.stopPropagation();
  });
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[data-url]");
    if (row) location.href = row.dataset.url;
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}
