// A graph with its tools: on its own page, or beside a note, which calls this once the programs are there.
"use strict";
const graphTools = (() => {
  const at = (id) => document.getElementById(id);
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (first) => {
    const said = at("graph-said"), card = at("graph-card"), find = at("graph-find"), kind = at("graph-colours");
    const list = at("graph-list"), depth = at("graph-depth");
    let place = first, view = null, names = [], found = null;

    const fail = () => {
      place.hidden = true;
      const isListed = !list || list.childElementCount > 0;
      document.querySelector(".as-list").open = isListed;
      said.textContent = isListed ? place.dataset.failed : at("graph-programs").dataset.failed;
    };
    const describe = (node) => {
      const path = view.all[node], links = `${place.dataset.links}${view.links(node)}`;
      const folder = path.includes("/") ? path.replace(/\/[^/]*$/, "") : "";
      return view.isNote(node) ? [folder, links].filter(Boolean).join(" · ") : `${place.dataset.missing} · ${links}`;
    };
    const told = (node) => {
      card.hidden = node === null;
      if (node === null) return;
      card.querySelector("b").textContent = view.nameOf(node);
      card.querySelector("span").textContent = describe(node);
      card.querySelector("a").hidden = !view.isNote(node);
      if (view.isNote(node)) card.querySelector("a").href = view.addressOf(view.all[node]);
      said.textContent = `${view.nameOf(node)} · ${describe(node)}`;
    };
    const paint = () => {
      const [groups, , others] = view?.paint(kind.value) ?? [[], [], 0];
      const entries = groups.map((name, group) => [`group-${group}`, kind.value === "tag" ? `#${name}` : name]);
      if (others) entries.push(["", place.dataset[kind.value === "tag" ? "otherTags" : "otherFolders"].replace("{count}", others)]);
      at("graph-legend").replaceChildren(...entries.map(([className, text]) => {
        const entry = document.createElement("li");
        entry.className = className;
        entry.textContent = text;
        return entry;
      }));
    };
    const draw = (data) => {
      if (list) {
        list.replaceChildren(...data.notes.map((path) => {
          const entry = document.createElement("li"), link = document.createElement("a");
          link.textContent = path.replace(/\.md$/i, "");
          link.href = `/note/${path.split("/").map(encodeURIComponent).join("/")}`;
          entry.append(link);
          return entry;
        }));
        said.textContent = data.notes.length < 2 ? place.dataset.none : data.more ? place.dataset.more.replace("{count}", data.more) : "";
      }
      card.hidden = true;
      view = graphView(place, data, { told, failed: fail });
      names = view.all.map(folded);
      paint();
    };
    const load = async () => {
      try {
        const answer = await fetch(place.dataset.url);
        if (!answer.ok) throw new Error(answer.status);
        draw(await answer.json());
      } catch (error) {
        fail();
        throw error;
      }
    };

    kind.addEventListener("change", paint);
    document.addEventListener("theme", paint);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
    for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => view?.zoom(button.dataset.zoom));
    find.addEventListener("input", () => {
      const words = folded(find.value).split(/\s+/).filter(Boolean);
      found = words.length ? names.flatMap((name, node) => (words.every((word) => name.includes(word)) ? [String(node)] : [])) : null;
      if (found) said.textContent = `${place.dataset.found}${found.length}`;
      view?.find(found);
    });
    find.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !found?.length) return;
      const best = found.reduce((most, node) => (view.links(node) > view.links(most) ? node : most));
      find.value = "";
      found = null;
      view.find(null);
      place.focus();
      view.choose(best, true);
    });
    depth?.addEventListener("change", () => {
      view?.kill();
      // Without what listens to the picture that was in it.
      const fresh = place.cloneNode(false), url = new URL(place.dataset.url, location.href);
      url.searchParams.set("depth", depth.value);
      fresh.dataset.url = url.pathname + url.search;
      for (const kept of ["drawn", "chosen"]) delete fresh.dataset[kept];
      place.replaceWith(fresh);
      [place, view, found] = [fresh, null, null];
      find.value = "";
      load();
    });
    place.hidden = false;
    at("graph-tools").hidden = false;
    load();
  };
})();
{
  const place = document.getElementById("whole-graph");
  if (place) graphTools(place);
}
