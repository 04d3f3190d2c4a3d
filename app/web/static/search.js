// Results as one types: words alone are quick enough for it, meaning waits for Enter.
"use strict";
{
  const form = document.getElementById("search");
  const PAUSE = 15; // milliseconds; less than the time between two keys
  let waiting;
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    const deep = form.elements.mode.value === "deep";
    if (deep && event.target.name !== "mode") return;
    if (deep && !form.elements.q.value.trim()) return;
    waiting = setTimeout(() => form.dispatchEvent(new Event("look")), PAUSE);
  });
  document.addEventListener("answering", () => form.dispatchEvent(new Event("look")));
  // Enter opens the first result of what stands in the box; where something else was found, it searches.
  form.elements.q.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.value.trim()) return;
    const shown = document.querySelector("#found .results");
    if (shown?.dataset.query !== event.target.value.trim()) return;
    if (shown.dataset.mode !== form.elements.mode.value) return;
    event.preventDefault();
    shown.querySelector("[data-result]").click();
  });
}
