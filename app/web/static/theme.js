// Loaded before the page is drawn, so that the chosen colours do not flash.
"use strict";
{
  const kept = localStorage.getItem("theme");
  if (kept) document.documentElement.dataset.theme = kept;
}
