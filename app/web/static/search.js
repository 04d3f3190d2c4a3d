// Results as one types: those by words at once; after a pause, or by Enter, those by meaning join them. Where
// somebody has begun to look at what is there, they wait behind a button.
"use strict";
{
  const form = document.getElementById("search");
  const box = form.elements.q;
  const found = document.getElementById("found");
  const line = document.getElementById("meaning");
  const WORDS_PAUSE = 15; // milliseconds; less than the time between two keys
  const MEANING_PAUSE = 400;
  const MADE_READY_PAUSE = 4000; // while a model is made ready, and vectors are built
  const UNREAD = 1500; // so long nobody has read what was just shown
  const more = document.getElementById("more");
  let typed; // the timer of the words
  let paused; // the timer of the meaning
  let asked; // the request for the meaning
  let isDue = true; // whether the pause is over
  let shown = performance.now(); // when the results by words came
  let isRead = false; // whether somebody has begun to look at them

  const look = () => form.dispatchEvent(new Event("look"));
  const giveUp = () => {
    clearTimeout(paused);
    asked?.abort();
    asked = undefined;
    line.textContent = "";
    more.hidden = true;
  };
  const read = () => { isRead = true; };
  addEventListener("scroll", read, { passive: true });
  for (const kind of ["focusin", "pointermove", "pointerdown"]) found.addEventListener(kind, read);
  const isCurrent = () => found.querySelector("[data-query]")?.dataset.query === box.value.trim();

  // Puts the results by meaning where those by words stand. What one has opened, or is at, stays as it is and
  // where one looks; a result that meaning does not have, and that is in use, goes to the end.
  const join = (fresh) => {
    const active = document.activeElement;
    const own = [...found.querySelectorAll(".results > li")];
    const list = fresh.querySelector(".results");
    const isUsed = (item) => item.contains(active) || item.querySelector(".why > *") !== null;
    const below = document.querySelector("header.top").getBoundingClientRect().bottom;
    const looked = own.find((item) => item.contains(active))
      ?? (scrollY > 0 ? own.find((item) => item.getBoundingClientRect().bottom > below) : undefined);
    const top = looked?.getBoundingClientRect().top;
    if (list) {
      for (const item of own.filter(isUsed)) {
        const other = [...list.children].find((each) => each.dataset.path === item.dataset.path);
        if (other) other.replaceWith(item);
        else list.append(item);
      }
    }
    for (const part of fresh.querySelectorAll("template[data-place]")) {
      document.getElementById(part.dataset.place).replaceChildren(part.content.cloneNode(true));
      part.remove();
    }
    found.replaceChildren(...fresh.childNodes);
    htmx.process(found);
    if (active.isConnected) active.focus({ preventScroll: true });
    const there = looked && [...found.querySelectorAll(".results > li")]
      .find((item) => item.dataset.path === looked.dataset.path);
    if (there) scrollBy({ top: there.getBoundingClientRect().top - top, behavior: "instant" });
  };

  const take = (fresh) => {
    // What narrows the words' results must not come after this.
    htmx.trigger("#narrowing", "htmx:abort");
    // Where nothing seems to answer, nothing was found by meaning either.
    line.textContent = fresh.querySelector(".results:not([data-distant])") ? line.dataset.joined : "";
    join(fresh);
  };

  // Says how many notes there are beside those that are shown, and puts them in when that is asked for.
  const offer = (fresh) => {
    const own = new Set([...found.querySelectorAll(".results > li")].map((item) => item.dataset.path));
    const count = [...fresh.querySelectorAll(".results > li")].filter((item) => !own.has(item.dataset.path)).length;
    line.textContent = "";
    more.textContent = count === 0 ? more.dataset.none : count === 1 ? more.dataset.one : more.dataset.several.replace("{n}", count);
    more.hidden = false;
    more.onclick = () => {
      more.hidden = true;
      take(fresh);
      if (!found.contains(document.activeElement)) found.focus({ preventScroll: true });
    };
  };

  const askMeaning = async () => {
    const address = found.querySelector("[data-meaning]")?.dataset.meaning;
    if (!isDue || asked || !address || !isCurrent()) return;
    const own = asked = new AbortController();
    line.textContent = line.dataset.asking;
    try {
      const answer = await fetch(address, { signal: own.signal, headers: { "HX-Request": "true" } });
      const text = await answer.text();
      if (own.signal.aborted) return;
      const fresh = document.createElement("template");
      fresh.innerHTML = text;
      const reason = fresh.content.querySelector("#not-by-meaning");
      if (answer.ok && !reason) {
        if ((isRead || performance.now() - shown > UNREAD) && found.querySelector(".results")) offer(fresh.content);
        else take(fresh.content);
        return;
      }
      line.textContent = reason ? line.dataset.because.replace("{reason}", () => reason.textContent) : line.dataset.failed;
      if (reason && "again" in reason.dataset) {
        asked = undefined;
        paused = setTimeout(askMeaning, MADE_READY_PAUSE);
      }
    } catch (error) {
      if (own.signal.aborted) return;
      line.textContent = "";
      asked = undefined;
      document.dispatchEvent(new Event("unanswered"));
    }
  };

  form.addEventListener("input", () => {
    clearTimeout(typed);
    giveUp();
    isDue = false;
    typed = setTimeout(look, WORDS_PAUSE);
    paused = setTimeout(() => { isDue = true; askMeaning(); }, MEANING_PAUSE);
  });
  form.addEventListener("submit", () => {
    clearTimeout(typed);
    giveUp();
    isDue = true;
  });
  // What tells of an index that is being built is gone when it is built: what was found so far is not all.
  let isBuilt = !document.getElementById("progress");
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail?.ctx?.target === found || event.target === found) { shown = performance.now(); isRead = false; }
    if (isBuilt || document.getElementById("progress")) askMeaning();
    else {
      isBuilt = true;
      look();
    }
  });
  document.addEventListener("answering", () => { giveUp(); isDue = true; look(); });
  // Enter opens the first result of what stands in the box; where something else was found, it searches.
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.value.trim()) return;
    const first = found.querySelector("[data-result]");
    if (!first || !isCurrent()) return;
    event.preventDefault();
    first.click();
  });
  askMeaning();
}
