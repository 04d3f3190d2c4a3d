// The graph of the notes: drawn by Sigma with WebGL, laid out by a worker, walked by pointer or keyboard.
"use strict";
{
  const at = (id) => document.getElementById(id);
  const place = at("whole-graph"), said = at("graph-said"), card = at("graph-card"), find = at("graph-find");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const addressOf = (path) => `/note/${path.split("/").map(encodeURIComponent).join("/")}`;
  const nameOf = (path) => path.replace(/^.*\//, "").replace(/\.md$/i, "");
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  // light-dark() is resolved only where a colour is used; Sigma wants it as #rrggbb.
  const resolved = (name) => {
    said.style.color = `var(${name})`;
    const [red, green, blue] = getComputedStyle(said).color.match(/[\d.]+/g).map(Number);
    said.style.color = "";
    return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
  };
  const mixed = (one, other, share) => `#${[1, 3, 5].map((start) => Math.round(
    parseInt(one.slice(start, start + 2), 16) * share + parseInt(other.slice(start, start + 2), 16) * (1 - share),
  ).toString(16).padStart(2, "0")).join("")}`;

  const draw = (data) => {
    const paths = data.notes, all = [...paths, ...data.missing], total = all.length;
    const graph = new graphology.UndirectedGraph();
    all.forEach((path, node) => {
      const turn = node * 2.399963, far = 10 * Math.sqrt(node + 1);
      graph.addNode(node, { label: node < paths.length ? nameOf(path) : path, x: far * Math.cos(turn), y: far * Math.sin(turn) });
    });
    for (let edge = 0; edge < data.edges.length; edge += 2) graph.mergeEdge(data.edges[edge], data.edges[edge + 1]);
    const own = paths.indexOf(place.dataset.of);
    graph.forEachNode((node) => graph.setNodeAttribute(
      node, "size", Math.min(16, (total > 2000 ? 1 + Math.sqrt(graph.degree(node)) / 2 : 3.5 + Math.sqrt(graph.degree(node)))) + (Number(node) === own ? 4 : 0),
    ));

    let colours, chosen = null, under = null, near = null, found = null;
    const kind = at("graph-colours");
    const paint = () => {
      colours = { ink: resolved("--ink"), soft: resolved("--soft"), paper: resolved("--paper"), line: resolved("--line"), accent: resolved("--accent") };
      const groups = Array.from({ length: 8 }, (_, group) => resolved(`--group-${group}`));
      const [names, of] = data.groups[kind.value];
      graph.forEachNode((node) => {
        const group = of[node] ?? -1;
        const colour = Number(node) >= paths.length ? mixed(colours.soft, colours.paper, 0.5) : group < 0 ? colours.soft : groups[group];
        graph.mergeNodeAttributes(node, { color: colour, faint: mixed(colour, colours.paper, 0.18) });
      });
      at("graph-legend").replaceChildren(...names.map((name, group) => {
        const entry = document.createElement("li");
        entry.className = `group-${group}`;
        entry.textContent = kind.value === "tag" ? `#${name}` : name;
        return entry;
      }));
    };
    paint();

    const lit = (node) => (found ? found.has(node) : !near || near.has(node));
    const sigma = new Sigma(graph, place, {
      labelFont: "system-ui, sans-serif", labelSize: 13, labelRenderedSizeThreshold: total > 2000 ? 9 : 5, labelDensity: 0.6,
      minCameraRatio: 0.01, maxCameraRatio: 4, zIndex: true, labelColor: { attribute: "labelColour" },
      // Of many notes each is a point, which costs a card the least.
      ...(total > 2000 && { nodeProgramClasses: { circle: Sigma.rendering.NodePointProgram } }),
      defaultEdgeType: "thin", edgeProgramClasses: { thin: Sigma.rendering.EdgeLineProgram },
      hideEdgesOnMove: data.edges.length > 10_000, hideLabelsOnMove: total > 2000,
      nodeReducer: (node, kept) => {
        const shown = { ...kept, labelColour: colours.ink };
        if (!lit(node)) Object.assign(shown, { color: kept.faint, label: "", zIndex: 0 });
        else if (near || found) shown.zIndex = 1;
        if (node === chosen || node === under) Object.assign(shown, { highlighted: true, forceLabel: true });
        return shown;
      },
      edgeReducer: (edge) => {
        const [source, target] = graph.extremities(edge);
        const centre = under ?? chosen;
        if (centre !== null && (source === centre || target === centre)) return { color: colours.accent, zIndex: 1 };
        return { color: mixed(colours.soft, colours.paper, near || found ? 0.08 : total > 2000 ? 0.22 : 0.4), zIndex: 0 };
      },
      defaultDrawNodeHover: (context, node, settings) => {
        context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
        const width = node.label ? context.measureText(node.label).width + 10 : 0;
        context.fillStyle = colours.paper;
        context.strokeStyle = colours.accent;
        context.lineWidth = 2;
        context.beginPath();
        context.arc(node.x, node.y, node.size + 3, 0, 2 * Math.PI);
        context.stroke();
        if (!width) return;
        context.fillRect(node.x + node.size + 5, node.y - 10, width, 20);
        context.fillStyle = colours.ink;
        context.fillText(node.label, node.x + node.size + 10, node.y + settings.labelSize / 3);
      },
    });
    const refresh = () => {
      const centre = under ?? chosen;
      near = centre === null ? null : new Set([centre, ...graph.neighbors(centre)]);
      sigma.refresh({ skipIndexation: true });
    };
    const camera = sigma.getCamera();
    const move = (state) => (still ? camera.setState(state) : camera.animate(state, { duration: 250 }));
    const describe = (node) => {
      const path = all[node], links = `${place.dataset.links}${graph.degree(node)}`;
      const folder = path.includes("/") ? path.replace(/\/[^/]*$/, "") : "";
      return Number(node) < paths.length ? [folder, links].filter(Boolean).join(" · ") : `${place.dataset.missing} · ${links}`;
    };
    const choose = (node, follow) => {
      chosen = node;
      card.hidden = node === null;
      if (node !== null) {
        const label = graph.getNodeAttribute(node, "label"), isNote = Number(node) < paths.length;
        card.querySelector("b").textContent = label;
        card.querySelector("span").textContent = describe(node);
        card.querySelector("a").hidden = !isNote;
        if (isNote) card.querySelector("a").href = addressOf(all[node]);
        said.textContent = `${label} · ${describe(node)}`;
        place.dataset.chosen = all[node];
        if (follow) {
          const { x, y } = sigma.getNodeDisplayData(node);
          move({ x, y, ratio: Math.min(camera.ratio, total > 500 ? 0.35 : 1) });
        }
      } else delete place.dataset.chosen;
      refresh();
    };
    const open = (node) => { if (Number(node) < paths.length) location.href = addressOf(all[node]); };

    let isTouch = false;
    place.addEventListener("pointerdown", (event) => { isTouch = event.pointerType !== "mouse"; }, true);
    sigma.on("enterNode", ({ node }) => { under = node; place.style.cursor = "pointer"; refresh(); });
    sigma.on("leaveNode", () => { under = null; place.style.cursor = ""; refresh(); });
    sigma.on("clickNode", ({ node }) => { if (isTouch && chosen !== node) { under = null; choose(node); } else open(node); });
    sigma.on("clickStage", () => choose(null));

    const busiest = () => graph.nodes().reduce((best, node) => (graph.degree(node) > graph.degree(best) ? node : best));
    // The neighbour that lies most nearly in a direction; for a note without links, the nearest note there.
    const towards = (right, down) => {
      const here = graph.getNodeAttributes(chosen);
      let best = null, least = Infinity;
      for (const node of graph.degree(chosen) ? graph.neighbors(chosen) : graph.nodes()) {
        const { x, y } = graph.getNodeAttributes(node);
        const far = Math.hypot(x - here.x, y - here.y);
        const along = ((x - here.x) * right - (y - here.y) * down) / far;
        // Within 60 degrees; what is twice as far off the line counts as farther.
        if (node !== chosen && far > 0 && along > 0.5 && far * (2 - along) < least) { best = node; least = far * (2 - along); }
      }
      return best;
    };
    const zoom = (how) => move(how === "all" ? { x: 0.5, y: 0.5, ratio: 1, angle: 0 } : { ratio: camera.ratio * (how === "in" ? 0.67 : 1.5) });
    const arrows = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const zooms = { "+": "in", "=": "in", "-": "out", "−": "out", 0: "all" };
    place.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (arrows[event.key]) {
        const next = chosen === null ? (own >= 0 ? String(own) : busiest()) : towards(...arrows[event.key]);
        if (next !== null) choose(next, true);
      } else if (zooms[event.key]) zoom(zooms[event.key]);
      else if (event.key === "Enter" && chosen !== null) open(chosen);
      else if (event.key === "Escape") choose(null);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => zoom(button.dataset.zoom));
    kind.addEventListener("change", () => { paint(); refresh(); });
    const again = () => { paint(); refresh(); };
    document.addEventListener("theme", again);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);

    find.addEventListener("input", () => {
      const words = folded(find.value).split(/\s+/).filter(Boolean);
      found = words.length ? new Set(graph.filterNodes((node) => words.every((word) => folded(all[node]).includes(word)))) : null;
      if (found) said.textContent = `${place.dataset.found}${found.size}`;
      refresh();
    });
    find.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !found?.size) return;
      const [best] = [...found].sort((one, other) => graph.degree(other) - graph.degree(one));
      find.value = "";
      found = null;
      place.focus();
      choose(best, true);
    });

    const worker = new Worker(place.dataset.worker);
    worker.onerror = fail;
    worker.onmessage = ({ data: { places, share } }) => {
      if (share < 1 && still) return;
      graph.updateEachNodeAttributes((node, kept) => ({ ...kept, x: places[2 * node], y: places[2 * node + 1] }), { attributes: ["x", "y"] });
      if (share === 1) {
        worker.terminate();
        place.dataset.drawn = total;
      }
    };
    worker.postMessage({
      script: place.dataset.layout, count: total, edges: data.edges,
      rounds: total > 5000 ? 200 : 400,
    });
    place.graph = sigma;
  };
  const fail = () => {
    place.hidden = true;
    document.querySelector(".as-list").open = true;
    said.textContent = place.dataset.failed;
  };
  place.hidden = false;
  at("graph-tools").hidden = false;
  fetch(place.dataset.url)
    .then((answer) => { if (!answer.ok) throw new Error(answer.status); return answer.json(); })
    .then(draw)
    .catch((error) => { fail(); throw error; });
}
