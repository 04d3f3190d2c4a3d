// Inside the frame of one diagram.
"use strict";
let drawn = 0;
window.addEventListener("message", async ({ data }) => {
  const place = document.getElementById("place");
  try {
    mermaid.initialize({ startOnLoad: false, securityLevel: "strict", theme: data.dark ? "dark" : "neutral" });
    const { svg } = await mermaid.render(`diagram-${drawn++}`, data.text);
    place.innerHTML = svg;
    parent.postMessage({ height: Math.ceil(document.documentElement.getBoundingClientRect().height) }, "*");
  } catch (error) {
    parent.postMessage({ failed: error.message ?? String(error) }, "*");
  }
});
parent.postMessage({ ready: true }, "*");
