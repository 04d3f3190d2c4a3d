// A preview of what a link to a note means: by the mouse after a moment, by focus, and by touch where a link
// asks for it by the class "cite". Nothing is asked of the server before that moment, and what is left is given up.
// A browser that knows no popover follows the link.
"use strict";
if (HTMLElement.prototype.showPopover) {
  const own = document.currentScript.dataset;
  const SOON = 150, LATER = 450, GRACE = 220; // milliseconds: of a chip, of another link, before it goes
  const MARGIN = 8; // pixels between the card and what is around it
  const known = new Map(); // by address: what the server gave, and its hash; the last asked for at the end
  const MOST_KNOWN = 60;
  const card = document.createElement("div");
  card.id = "preview";
  card.popover = "manual";
  let link; // the link whose preview is shown, or waited for
  let timer;
  let asked;
  let dressed; // the styles, loaded once
  let isTouch = false;
  let isHeld = false; // opened by touch: it stays until it is closed

  const meant = (target) => {
    const found = target instanceof Element ? target.closest('main a[href^="/note/"]') : null;
    return found && !found.closest("#preview") ? found : null;
  };

  const address = (of) => {
    const url = new URL(of.href);
    const lines = url.searchParams.get("lines");
    const part = lines ? { lines } : url.hash ? { at: decodeURIComponent(url.hash.slice(1)) } : {};
    return `${url.pathname.replace("/note/", "/preview/")}?${new URLSearchParams(part)}`;
  };

  const dress = () => {
    dressed ??= Promise.all(own.styles.split(" ").map((href) => new Promise((done) => {
      if (document.querySelector(`link[href="${href}"]`)) { done(); return; }
      const style = document.createElement("link");
      style.rel = "stylesheet";
      style.href = href;
      style.onload = style.onerror = done;
      // Before the page's own styles, which have the last word.
      document.head.prepend(style);
    })));
    return dressed;
  };

  const close = () => {
    clearTimeout(timer);
    asked?.abort();
    asked = undefined;
    if (card.matches(":popover-open")) card.hidePopover();
    link?.removeAttribute("aria-describedby");
    link?.removeAttribute("aria-expanded");
    link = undefined;
    isHeld = false;
  };

  const fetched = async (where, signal) => {
    const before = known.get(where);
    const headers = { "HX-Request": "true", ...(before && { "If-None-Match": before.tag }) };
    const response = await fetch(where, { signal, headers, cache: "no-store" });
    if (response.status !== 304 && !response.ok) return null;
    const one = response.status === 304 ? before : { tag: response.headers.get("ETag"), html: await response.text() };
    known.delete(where);
    known.set(where, one);
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value);
    return one.html;
  };

  // Below the part of the link that begins it, or above where there is more room; never over the link itself.
  const place = () => {
    const box = link.getClientRects()[0] ?? link.getBoundingClientRect();
    const room = { below: innerHeight - box.bottom - 2 * MARGIN, above: box.top - 2 * MARGIN };
    card.style.maxHeight = "";
    const isBelow = card.offsetHeight <= room.below || room.below >= room.above;
    card.style.maxHeight = `min(24rem, ${Math.max(isBelow ? room.below : room.above, 0)}px)`;
    const left = Math.max(MARGIN, Math.min(box.left, document.documentElement.clientWidth - card.offsetWidth - MARGIN));
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${(isBelow ? box.bottom + MARGIN : box.top - card.offsetHeight - MARGIN) + scrollY}px`;
    const text = card.querySelector(".note");
    text.classList.toggle("over", text.scrollHeight > text.clientHeight + 1);
  };

  const open = async (of, { held = false } = {}) => {
    close();
    link = of;
    const mine = asked = new AbortController();
    let html = null;
    try {
      [html] = await Promise.all([fetched(address(of), mine.signal), dress()]);
    } catch {
      // Given up, or the server is gone, which other scripts say.
    }
    if (mine.signal.aborted || link !== of || !of.isConnected) return;
    if (html === null) {
      close();
      if (held) location.assign(of.href);
      return;
    }
    // A template of this server, in which all text is escaped, and lines of a note that were cleaned.
    card.innerHTML = html;
    for (const each of card.querySelectorAll("[data-open]")) each.href = of.href;
    isHeld = held;
    card.classList.toggle("held", held);
    if (held) {
      card.setAttribute("role", "dialog");
      card.setAttribute("aria-label", card.querySelector(".preview-title").textContent);
      of.setAttribute("aria-expanded", "true");
    } else {
      card.setAttribute("role", "tooltip");
      card.removeAttribute("aria-label");
      of.setAttribute("aria-describedby", "preview");
    }
    if (!card.isConnected) document.body.append(card);
    card.showPopover();
    if (held) card.querySelector(".note").tabIndex = 0;
    place();
    for (const image of card.querySelectorAll("img")) image.addEventListener("load", () => { if (link) place(); });
    if (held) card.querySelector(".preview-foot a").focus({ preventScroll: true });
  };

  const soon = (of) => {
    if (of === link && (asked || card.matches(":popover-open"))) { clearTimeout(timer); return; }
    clearTimeout(timer);
    timer = setTimeout(() => open(of), of.classList.contains("cite") ? SOON : LATER);
  };
  const leave = () => {
    clearTimeout(timer);
    // What is not shown yet is given up at once; to a card that is, the pointer may move over.
    if (card.matches(":popover-open")) timer = setTimeout(close, GRACE);
    else close();
  };

  let rests = { x: -1, y: -1 }; // where the pointer was moved to last
  document.addEventListener("pointermove", ({ clientX: x, clientY: y }) => { rests = { x, y }; });
  document.addEventListener("pointerover", (event) => {
    isTouch = event.pointerType === "touch";
    // What came below a pointer that lies still is not pointed at.
    if (event.clientX === rests.x && event.clientY === rests.y) return;
    if (isTouch || isHeld) return;
    const found = meant(event.target);
    if (found) soon(found);
    else if (card.contains(event.target)) clearTimeout(timer);
    else if (link !== document.activeElement || !link) leave();
  });
  document.addEventListener("pointerdown", (event) => {
    isTouch = event.pointerType === "touch";
    if (!card.contains(event.target) && meant(event.target) !== link) close();
  });
  document.addEventListener("focusin", (event) => {
    if (isTouch || isHeld) return;
    const found = meant(event.target);
    // Results are walked through with the arrows: what is found there is seen already.
    if (found && found.matches(":focus-visible:not([data-result])")) soon(found);
    else if (!card.contains(event.target)) close();
  });
  // The first touch of a chip shows its lines, from where the note is opened; so does a long one.
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#preview [data-close]")) {
      const back = link;
      close();
      back?.focus({ preventScroll: true });
      return;
    }
    const found = meant(event.target);
    if (!found) return;
    if (!isTouch || !found.classList.contains("cite") || (isHeld && link === found)) { close(); return; }
    event.preventDefault();
    open(found, { held: true });
  });
  document.addEventListener("contextmenu", (event) => {
    const found = meant(event.target);
    if (!isTouch || !found?.classList.contains("cite")) return;
    event.preventDefault();
    open(found, { held: true });
  });
  document.addEventListener("keydown", (event) => {
    isTouch = false;
    if (event.key !== "Escape" || !link) return;
    const back = link, wasShown = card.matches(":popover-open"), wasHeld = isHeld;
    close();
    if (wasHeld) back.focus({ preventScroll: true });
    if (wasShown) event.stopPropagation();
  }, true);
  addEventListener("pagehide", close);
}
