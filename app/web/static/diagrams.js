// Diagrams of Mermaid: each is drawn in a frame without an origin, which is given its text and gives back its height.
"use strict";
{
  const { title, failed } = document.currentScript.dataset;
  const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark"
    || (document.documentElement.dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const MOST = 30; // the others stay as text
  for (const code of [...document.querySelectorAll("pre > code.language-mermaid")].slice(0, MOST)) {
    const source = code.parentElement;
    const frame = document.createElement("iframe");
    frame.className = "diagram";
    frame.title = title;
    frame.setAttribute("sandbox", "allow-scripts");
    const give = () => frame.contentWindow.postMessage({ text: code.textContent, dark: isDark() }, "*");
    const heard = ({ source: sender, data }) => {
      if (sender !== frame.contentWindow) return;
      if (data.ready) give();
      if (data.height) frame.style.height = `${Math.min(Number(data.height), 4000)}px`;
      if (data.height) source.hidden = true;
      if (data.failed) {
        const said = document.createElement("p");
        said.className = "soft";
        said.textContent = `${failed} ${String(data.failed).slice(0, 200)}`;
        source.after(said);
        source.hidden = false;
        window.removeEventListener("message", heard);
        document.removeEventListener("theme", give);
        frame.remove();
      }
    };
    window.addEventListener("message", heard);
    document.addEventListener("theme", give);
    frame.src = "/diagram";
    source.after(frame);
  }
}
