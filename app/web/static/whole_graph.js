// The page of the graph: its picture, and the tools around it.
"use strict";
{
  const at = (id) => document.getElementById(id);
  const place = at("whole-graph"), said = at("graph-said"), card = at("graph-card"), find = at("graph-find"), kind = at("graph-colours");
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const fail = () => {
    place.hidden = true;
    document.querySelector(".as-list").open = true;
    said.textContent = place.dataset.failed;
  };
  const draw = (data) => {
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
    const view = graphView(place, data, { told, failed: fail });

    const paint = () => at("graph-legend").replaceChildren(...view.paint(kind.value).map((name, group) => {
      const entry = document.createElement("li");
      entry.className = `group-${group}`;
      entry.textContent = kind.value === "tag" ? `#${name}` : name;
      return entry;
    }));
    paint();
    kind.addEventListener("change", paint);
    document.addEventListener("theme", paint);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
    for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => view.zoom(button.dataset.zoom));

    const names = view.all.map(folded);
    let found = null;
    find.addEventListener("input", () => {
      const words = folded(find.value).split(/\s+/).filter(Boolean);
      found = words.length ? names.flatMap((name, node) => (words.every((word) => name.includes(word)) ? [String(node)] : [])) : null;
      if (found) said.textContent = `${place.dataset.found}${found.length}`;
      view.find(found);
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
  };
  place.hidden = false;
  at("graph-tools").hidden = false;
  fetch(place.dataset.url)
    .then((answer) => { if (!answer.ok) throw new Error(answer.status); return answer.json(); })
    .then(draw)
    .catch((error) => { fail(); throw error; });
}
