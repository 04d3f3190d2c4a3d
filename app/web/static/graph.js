// The graph around a note, drawn by Cytoscape from what the server gives.
"use strict";
{
  const place = document.getElementById("graph");
  const said = document.getElementById("graph-said");
  // light-dark() is resolved only where a colour is used.
  const resolved = (name) => {
    said.style.color = `var(${name})`;
    const found = getComputedStyle(said).color;
    said.style.color = "";
    return found;
  };
  const style = () => [
    { selector: "node", style: {
      "background-color": resolved("--accent"), "background-opacity": 0.55, width: 9, height: 9,
      label: "data(label)", "font-size": 8, color: resolved("--ink"), "text-margin-y": -2,
      "text-max-width": 80, "text-wrap": "ellipsis",
    } },
    { selector: "node[step = 0]", style: { "background-opacity": 1, width: 16, height: 16, "font-weight": "bold" } },
    { selector: "node[step = 2]", style: { width: 6, height: 6, "font-size": 6, color: resolved("--soft") } },
    { selector: "edge", style: {
      width: 0.8, "line-color": resolved("--soft"), "line-opacity": 0.5, "curve-style": "bezier",
      "target-arrow-shape": "triangle", "target-arrow-color": resolved("--soft"), "arrow-scale": 0.5,
    } },
  ];
  const draw = (data) => {
    if (data.nodes.length < 2) {
      place.hidden = true;
      said.textContent = said.dataset.none;
      return;
    }
    const graph = cytoscape({
      container: place,
      elements: [
        ...data.nodes.map((node) => ({ data: {
          id: node.path, url: node.url, step: node.step,
          label: node.path.replace(/^.*\//, "").replace(/\.md$/i, ""),
        } })),
        ...data.edges.map(([source, target]) => ({ data: { source, target } })),
      ],
      style: style(),
      layout: { name: "cose", animate: false, randomize: false, nodeRepulsion: 9000, padding: 12 },
      maxZoom: 3, userZoomingEnabled: false, autoungrabify: true,
    });
    graph.on("tap", "node", (event) => { location.href = event.target.data("url"); });
    graph.on("mouseover", "node", () => { place.style.cursor = "pointer"; });
    graph.on("mouseout", "node", () => { place.style.cursor = ""; });
    document.addEventListener("theme", () => graph.style(style()));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => graph.style(style()));
    place.dataset.drawn = data.nodes.length;
    if (data.more) said.textContent = said.dataset.more.replace("{count}", data.more);
  };
  // The program that draws is larger than all else on the page: it is loaded for those who look.
  const load = () => new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = place.dataset.script;
    script.onload = loaded;
    script.onerror = failed;
    document.head.append(script);
  });
  const show = async () => {
    try {
      const [answer] = await Promise.all([fetch(place.dataset.graph), load()]);
      if (!answer.ok) throw new Error(answer.status);
      draw(await answer.json());
    } catch {
      place.hidden = true;
      said.textContent = said.dataset.failed;
    }
  };
  const box = document.getElementById("around");
  box.addEventListener("toggle", () => localStorage.setItem("graph", box.open ? "open" : ""));
  box.addEventListener("toggle", () => { if (box.open) show(); }, { once: true });
  box.open = localStorage.getItem("graph") === "open";
}
