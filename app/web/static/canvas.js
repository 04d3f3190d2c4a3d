// A canvas: dragging, the arrow keys and the wheel move; Ctrl and the wheel, two fingers, + and − zoom; 0 shows all.
"use strict";
{
  const board = document.getElementById("board");
  const svg = board?.querySelector("svg");
  if (svg) {
    const all = svg.viewBox.baseVal;
    const whole = { x: all.x, y: all.y, width: all.width, height: all.height };
    let view = { ...whole };
    const CLOSEST = 2.5; // pixels of the screen for one of the canvas
    const clamp = (value, least, most) => Math.min(Math.max(value, least), Math.max(least, most));
    const scale = () => Math.min(svg.clientWidth / view.width, svg.clientHeight / view.height);

    // The middle of what is seen stays on the canvas, and no more than the whole is shown.
    const show = (next) => {
      const before = svg.getAttribute("viewBox");
      const nearest = Math.min(whole.width, svg.clientWidth / CLOSEST);
      const width = clamp(next.width, nearest, whole.width);
      const height = width * whole.height / whole.width;
      const x = clamp(next.x + (next.width - width) / 2, whole.x - width / 2, whole.x + whole.width - width / 2);
      const y = clamp(next.y + (next.height - height) / 2, whole.y - height / 2, whole.y + whole.height - height / 2);
      view = { x, y, width, height };
      svg.setAttribute("viewBox", [x, y, width, height].map((each) => each.toFixed(2)).join(" "));
      return svg.getAttribute("viewBox") !== before;
    };
    const move = (across, down) => show({ ...view, x: view.x + across / scale(), y: view.y + down / scale() });
    const placeOf = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const zoom = (by, place = { x: view.x + view.width / 2, y: view.y + view.height / 2 }) => {
      const nearest = Math.min(whole.width, svg.clientWidth / CLOSEST);
      const width = clamp(view.width / by, nearest, whole.width);
      const rate = width / view.width;
      return show({
        x: place.x - (place.x - view.x) * rate, y: place.y - (place.y - view.y) * rate,
        width, height: view.height * rate,
      });
    };
    const everything = () => show({ ...whole });

    board.querySelector(".tools").hidden = false;
    board.addEventListener("click", (event) => {
      const button = event.target.closest("[data-zoom]");
      if (!button) return;
      const step = Number(button.dataset.zoom);
      if (step) zoom(step > 0 ? 1.3 : 1 / 1.3); else everything();
    });

    const STEP = 80;
    const keys = {
      ArrowLeft: () => move(-STEP, 0), ArrowRight: () => move(STEP, 0),
      ArrowUp: () => move(0, -STEP), ArrowDown: () => move(0, STEP),
      "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), "−": () => zoom(1 / 1.3), 0: everything,
    };
    board.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
      const inside = event.target.closest(".inside");
      // What does not fit into a card scrolls in it.
      if (inside && event.key.startsWith("Arrow") && inside.scrollHeight > inside.clientHeight) return;
      event.preventDefault();
      keys[event.key]();
    });

    board.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        zoom(Math.exp(clamp(-event.deltaY, -60, 60) / 150), placeOf(event));
        return;
      }
      const inside = event.target.closest(".inside");
      if (inside?.contains(document.activeElement) && inside.scrollHeight > inside.clientHeight) return;
      const lines = event.deltaMode === 1 ? 18 : 1;
      const [across, down] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      // At its edge the wheel belongs to the page again; so it does where all is seen.
      if (view.width < whole.width && move(across * lines, down * lines)) event.preventDefault();
    }, { passive: false });

    // One pointer moves, two zoom; a short tap stays a click.
    const down = new Map();
    let hasMoved = false;
    const spread = () => {
      const [a, b] = [...down.values()];
      return { far: Math.hypot(a.x - b.x, a.y - b.y), clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 };
    };
    board.addEventListener("pointerdown", (event) => {
      if (event.button || event.target.closest(".tools, iframe")) return;
      if (event.pointerType === "touch" && event.target.closest(".inside.long:focus-within")) return;
      if (!down.size) hasMoved = false;
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    board.addEventListener("pointermove", (event) => {
      const last = down.get(event.pointerId);
      if (!last) return;
      const [across, below] = [event.clientX - last.x, event.clientY - last.y];
      if (!hasMoved && Math.hypot(across, below) < 5) return;
      // Words of a card with the focus can be marked.
      if (!hasMoved && event.pointerType === "mouse" && event.target.closest(".inside")?.contains(document.activeElement)
        && document.getSelection()?.type === "Range") return;
      if (!hasMoved) board.setPointerCapture(event.pointerId);
      hasMoved = true;
      board.classList.add("moved");
      const before = down.size === 2 ? spread() : null;
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (before) zoom(spread().far / Math.max(before.far, 1), placeOf(spread()));
      else move(-across, -below);
    });
    const end = (event) => {
      down.delete(event.pointerId);
      if (!down.size) board.classList.remove("moved");
    };
    board.addEventListener("pointerup", end);
    board.addEventListener("pointercancel", end);
    board.addEventListener("click", (event) => {
      if (hasMoved && event.detail) event.preventDefault();
      hasMoved = false;
    }, true);
    board.addEventListener("dragstart", (event) => event.preventDefault());

    // A card that is reached by Tab comes into view, large enough to be read.
    board.addEventListener("focusin", (event) => {
      const inside = event.target.closest(".inside");
      inside?.classList.toggle("long", inside.scrollHeight > inside.clientHeight);
      if (!inside || !inside.matches(":focus-visible, :has(:focus-visible)")) return;
      const box = inside.parentElement;
      const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => box[name].baseVal.value);
      board.scrollTo(0, 0);
      const seen = x >= view.x && y >= view.y && x + width <= view.x + view.width && y + height <= view.y + view.height;
      if (seen && scale() >= 0.6) return;
      const wide = Math.min(view.width, svg.clientWidth / 0.8);
      const high = wide * whole.height / whole.width;
      show({ x: x + width / 2 - wide / 2, y: y + height / 2 - high / 2, width: wide, height: high });
    });
  }
}
