// The graph beside a note: its programs are larger than all else on the page, and loaded for those who look.
"use strict";
{
  const box = document.getElementById("around"), programs = document.getElementById("graph-programs");
  const load = (source) => new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = loaded;
    script.onerror = failed;
    document.head.append(script);
  });
  const show = async () => {
    try {
      for (const source of programs.dataset.scripts.split(" ")) await load(source);
    } catch {
      document.getElementById("graph-said").textContent = programs.dataset.failed;
      return;
    }
    graphTools(document.getElementById("graph"));
  };
  box.addEventListener("toggle", () => localStorage.setItem("graph", box.open ? "open" : ""));
  box.addEventListener("toggle", () => { if (box.open) show(); }, { once: true });
  box.open = localStorage.getItem("graph") === "open";
}
