// A graph of notes in a place of the page: drawn by Sigma with WebGL, laid out by a worker, walked by pointer or keyboard.
// What moves stays smooth by being less: as many links are drawn as the machine can follow with, and all of them at rest.
"use strict";
const graphView = (() => {
  const MANY = 2000, FEW = 200, NAMED = 80; // notes: from here each is a point; up to here a link has an arrow, each note its name
  const SLOW_MS = 25, QUICK_MS = 19; // from one picture to the next while it moves: fewer links from the one, more from the other
  const FIRST_EDGES = 3000; // drawn while it moves, until it shows how many can be
  const REST_MS = 150, GLIDE_MS = 250, LONG_MS = 1000, MOST_NAMED = 30, NEAR = 3; // pixels about a note that count as on it
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const hex = (parts) => `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
  const mixed = (one, other, share) => hex([1, 3, 5].map((start) =>
    parseInt(one.slice(start, start + 2), 16) * share + parseInt(other.slice(start, start + 2), 16) * (1 - share)));
  const nameOf = (path) => path.replace(/^.*\//, "").replace(/\.md$/i, "");
  const addressOf = (path) => `/note/${path.split("/").map(encodeURIComponent).join("/")}`;

  // `told` is called with the note that was chosen, or null; `failed` where the layout cannot be had.
  return (place, data, { told, failed }) => {
    const paths = data.notes, all = [...paths, ...data.missing], total = all.length;
    const isMany = total > MANY, hasArrows = total <= FEW;
    const isNote = (node) => Number(node) < paths.length;
    const own = paths.indexOf(place.dataset.of);

    const graph = hasArrows ? new graphology.DirectedGraph() : new graphology.UndirectedGraph();
    all.forEach((path, node) => {
      const turn = node * 2.399963, far = Math.sqrt((node + 1) / total);
      graph.addNode(node, { label: isNote(node) ? nameOf(path) : path, x: far * Math.cos(turn), y: far * Math.sin(turn) });
    });
    const beside = all.map(() => new Set());
    for (let at = 0; at < data.edges.length; at += 2) {
      beside[data.edges[at]].add(String(data.edges[at + 1]));
      beside[data.edges[at + 1]].add(String(data.edges[at]));
    }
    const links = (node) => beside[node].size;
    // Those between notes with many links first: they stay where not all can be drawn.
    const pairs = Array.from({ length: data.edges.length / 2 }, (_, at) => [data.edges[2 * at], data.edges[2 * at + 1]]);
    pairs.sort((one, other) => Math.min(...other.map(links)) - Math.min(...one.map(links)));
    for (const [source, target] of pairs) graph.mergeEdge(source, target);
    graph.forEachNode((node, kept) => {
      const size = isMany ? 1 + Math.sqrt(links(node)) / 2 : 3.5 + Math.sqrt(links(node));
      kept.size = Math.min(16, size) + (Number(node) === own ? 4 : 0);
    });

    let colours;
    // light-dark() is resolved only where a colour is used; Sigma wants it as #rrggbb.
    const resolved = (name) => {
      place.style.color = `var(${name})`;
      const parts = getComputedStyle(place).color.match(/[\d.]+/g).map(Number);
      place.style.color = "";
      return hex(parts.slice(0, 3));
    };
    const colour = (kind) => {
      colours = { ink: resolved("--ink"), soft: resolved("--soft"), paper: resolved("--paper"), accent: resolved("--accent") };
      const groups = Array.from({ length: 8 }, (_, group) => resolved(`--group-${group}`));
      const [, of] = data.groups[kind];
      graph.forEachNode((node, kept) => {
        const group = of[node] ?? -1;
        kept.color = !isNote(node) ? mixed(colours.soft, colours.paper, 0.5) : group < 0 ? colours.soft : groups[group];
      });
      return { defaultEdgeColor: mixed(colours.soft, colours.paper, isMany ? 0.22 : 0.4) };
    };

    let isMoving = false, isGliding = false, share = Math.min(1, FIRST_EDGES / pairs.length);
    const isHurried = () => isMoving || isGliding;
    // Where each note is in Sigma's frame. Of many, notes and links that glide are moved in the numbers that are drawn; Sigma
    // itself, which would copy all that it knows of each of them, hears of their places when they stay.
    const spots = new Float32Array(2 * total), ends = [];
    graph.forEachEdge((_edge, _kept, source, target) => ends.push(2 * source, 2 * target));
    class Lines extends Sigma.rendering.EdgeLineProgram {
      render(params) {
        const { verticesCount, array, ATTRIBUTES_ITEMS_COUNT: wide } = this;
        if (isHurried()) {
          this.verticesCount = 2 * Math.floor((share * verticesCount) / 2);
          this.array = array.subarray(0, wide * this.verticesCount);
        }
        if (isMany && isGliding) for (let at = 0; at < this.verticesCount; at++) {
          array[wide * at] = spots[ends[at]];
          array[wide * at + 1] = spots[ends[at] + 1];
        }
        super.render(params);
        Object.assign(this, { verticesCount, array });
      }
    }
    const shown = (Program) => class extends Program {
      render(params) {
        // Sigma draws each note a second time and reads the picture back, to tell what the pointer is on; looking it up costs less.
        this.pickProgram = null;
        if (isMany && isGliding) for (let at = 0; at < total; at++) {
          this.array[this.STRIDE * at] = spots[2 * at];
          this.array[this.STRIDE * at + 1] = spots[2 * at + 1];
        }
        super.render(params);
      }
    };
    class View extends Sigma {
      getNodeAtPosition(pointer) {
        if (isMoving) return null;
        const { x, y } = this.viewportToGraph(pointer), scale = this.getGraphToViewportRatio();
        let best = null, least = Infinity;
        graph.forEachNode((node, kept) => {
          const far = Math.hypot(kept.x - x, kept.y - y) * scale;
          if (far < least && far < this.scaleSize(kept.size) + NEAR) { best = node; least = far; }
        });
        return best;
      }
    }
    const write = (context, text, x, y, font) => {
      context.font = font;
      context.lineWidth = 3;
      context.lineJoin = "round";
      context.strokeStyle = colours.paper;
      context.strokeText(text, x, y);
      context.fillStyle = colours.ink;
      context.fillText(text, x, y);
    };
    const FONT = "13px system-ui, sans-serif";
    // The boxes of the names that stand already: one that would cover another is left out.
    let standing = [];
    const fitted = (context, { x, y, size, label }, font, among) => {
      context.font = font;
      const wide = context.measureText(label).width + 4, width = place.clientWidth;
      // A name that would leave the picture on the right stands on the left of its note.
      const right = x + size + 4, left = right + wide > width && x - size - wide > 0 ? x - size - wide : right;
      const box = [left, y - 9, left + wide, y + 9];
      if (among.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) return;
      among.push(box);
      write(context, label, left, y + 4, font);
    };
    const sigma = new View(graph, place, {
      ...colour("folder"),
      // Closed, the box beside a note has no width.
      allowInvalidContainer: true,
      // Of few notes all are named; where two names would cover each other, the note with more links has its own.
      labelRenderedSizeThreshold: isMany ? 9 : total <= NAMED ? 0 : 5, labelDensity: total <= NAMED ? NAMED : 0.6, minCameraRatio: 0.01, maxCameraRatio: 4,
      defaultEdgeType: "link", edgeProgramClasses: { link: hasArrows ? Sigma.rendering.EdgeArrowProgram : Lines },
      nodeProgramClasses: { circle: shown(Sigma.rendering[isMany ? "NodePointProgram" : "NodeCircleProgram"]) },
      defaultDrawNodeLabel: (context, node) => {
        if (!(isMany && isHurried())) fitted(context, node, FONT, standing);
      },
      defaultDrawNodeHover: () => {},
    });
    sigma.setCustomBBox({ x: [-1, 1], y: [-1, 1] });
    const camera = sigma.getCamera();

    // Where the machine cannot do both at once, the layout waits for a hand that moves the picture, and leaves room to draw.
    const worker = new Worker(place.dataset.worker);
    let isWaiting = false, resting, drawnAt = 0, pace = QUICK_MS;
    const goOn = () => {
      if (!isWaiting || (isMoving && share < 1)) return;
      isWaiting = false;
      worker.postMessage({ rest: share === 1 ? 0 : pace < SLOW_MS ? 0.5 : 1 });
    };
    const hurry = () => place.classList.toggle("moves", isMany && isHurried());
    camera.on("updated", () => {
      isMoving = true;
      hurry();
      clearTimeout(resting);
      resting = setTimeout(() => {
        isMoving = false;
        hurry();
        sigma.scheduleRender();
        goOn();
      }, REST_MS);
    });
    sigma.on("beforeRender", () => {
      standing = [];
      const past = performance.now() - drawnAt;
      drawnAt += past;
      if (!isHurried() || past > 1000) return;
      pace += (Math.min(past, 3 * SLOW_MS) - pace) / 4;
      if (pace > SLOW_MS) share = Math.max(0.01, share * 0.8);
      else if (pace < QUICK_MS) share = Math.min(1, share * 1.05);
    });

    // What is lit is drawn above the rest, and the rest is dimmed as a whole: nothing of it is drawn anew for that.
    let chosen = null, under = null, found = null;
    sigma.createCanvas("lit", { beforeLayer: "hovers" });
    sigma.canvasContexts.lit = sigma.getCanvases().lit.getContext("2d");
    sigma.resize(true);
    const spot = (node) => {
      const { size, color, label } = sigma.getNodeDisplayData(node);
      return { ...sigma.framedGraphToViewport({ x: spots[2 * node], y: spots[2 * node + 1] }), size: sigma.scaleSize(size), color, label };
    };
    const light = () => {
      const context = sigma.canvasContexts.lit, { width, height } = sigma.getDimensions();
      const centre = under ?? chosen, lit = found ?? (centre === null ? null : beside[centre]);
      context.clearRect(0, 0, width, height);
      place.classList.toggle("dimmed", lit !== null);
      const middle = centre === null ? null : spot(centre);
      if (middle) {
        context.strokeStyle = colours.accent;
        context.lineWidth = 1;
        context.beginPath();
        for (const node of beside[centre]) {
          const { x, y } = spot(node);
          context.moveTo(middle.x, middle.y);
          context.lineTo(x, y);
        }
        context.stroke();
      }
      const seen = [], byColour = new Map();
      for (const node of lit ?? []) {
        const at = spot(node);
        if (at.x < -at.size || at.y < -at.size || at.x > width + at.size || at.y > height + at.size) continue;
        seen.push([node, at]);
        byColour.set(at.color, [...(byColour.get(at.color) ?? []), at]);
      }
      for (const [color, spots] of byColour) {
        context.fillStyle = color;
        context.beginPath();
        for (const { x, y, size } of spots) { context.moveTo(x + size, y); context.arc(x, y, size, 0, 2 * Math.PI); }
        context.fill();
      }
      if (middle) {
        context.fillStyle = middle.color;
        context.strokeStyle = colours.accent;
        context.lineWidth = 2;
        context.beginPath();
        context.arc(middle.x, middle.y, middle.size, 0, 2 * Math.PI);
        context.fill();
        context.beginPath();
        context.arc(middle.x, middle.y, middle.size + 3, 0, 2 * Math.PI);
        context.stroke();
      }
      const named = [];
      const name = (spot, font) => fitted(context, spot, font, named);
      if (middle?.label) name(middle, `600 ${FONT}`);
      seen.sort(([one], [other]) => links(other) - links(one));
      for (const [node, at] of isMoving && isMany ? [] : seen.slice(0, MOST_NAMED)) if (at.label && node !== centre) name(at, FONT);
    };
    sigma.on("afterRender", light);

    const move = (state) => (still ? camera.setState(state) : camera.animate(state, { duration: GLIDE_MS }));
    const choose = (node, follow) => {
      chosen = node;
      if (node === null) delete place.dataset.chosen;
      else place.dataset.chosen = all[node];
      told(node);
      if (node !== null && follow) {
        move({ x: spots[2 * node], y: spots[2 * node + 1], ratio: Math.min(camera.ratio, total > 500 ? 0.35 : 1) });
      }
      light();
    };
    const open = (node) => { if (isNote(node)) location.href = addressOf(all[node]); };

    // The wheel scrolls the page until the picture has the focus, where the page is about something else.
    place.addEventListener("wheel", (event) => {
      if (place.dataset.aside !== undefined && document.activeElement !== place) event.stopPropagation();
    }, true);
    let isTouch = false;
    place.addEventListener("pointerdown", (event) => { isTouch = event.pointerType !== "mouse"; }, true);
    sigma.on("enterNode", ({ node }) => { under = node; place.style.cursor = "pointer"; light(); });
    sigma.on("leaveNode", () => { under = null; place.style.cursor = ""; light(); });
    sigma.on("clickNode", ({ node }) => { if (isTouch && chosen !== node) { under = null; choose(node); } else open(node); });
    sigma.on("clickStage", () => choose(null));

    const busiest = () => graph.nodes().reduce((best, node) => (links(node) > links(best) ? node : best));
    // The neighbour that lies most nearly in a direction; for a note without links, the nearest note there.
    const towards = (right, down) => {
      const here = graph.getNodeAttributes(chosen);
      let best = null, least = Infinity;
      for (const node of links(chosen) ? beside[chosen] : graph.nodes()) {
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

    // From where a note is to where the layout has it, while the layout goes on.
    const nodes = graph.nodes(), edges = graph.edges(), kept = nodes.map((node) => graph.getNodeAttributes(node));
    const put = (places) => kept.forEach((note, node) => {
      note.x = places[2 * node];
      note.y = places[2 * node + 1];
      spots[2 * node] = (note.x + 1) / 2;
      spots[2 * node + 1] = (note.y + 1) / 2;
    });
    put(kept.flatMap(({ x, y }) => [x, y]));
    const settle = (places) => {
      isGliding = false;
      hurry();
      put(places);
      sigma.refresh();
      place.dataset.drawn = total;
    };
    // A glide takes longer than the next places are awaited for, so that the picture does not stand still between two.
    let gliding, awaitedMs = GLIDE_MS, arrived = performance.now();
    const glide = (places, isLast) => {
      cancelAnimationFrame(gliding);
      const begun = performance.now(), from = kept.flatMap(({ x, y }) => [x, y]);
      if (!isMoving) awaitedMs += (Math.min(begun - arrived, LONG_MS) - awaitedMs) / 2;
      arrived = begun;
      const go = () => {
        const past = Math.min(1, (performance.now() - begun) / (isLast ? GLIDE_MS : 1.5 * awaitedMs));
        if (past === 1 && isLast && !isMoving) return settle(places);
        // Under a hand that moves the picture, the notes keep their places.
        if (!isMoving) {
          put(places.map((to, at) => from[at] + (to - from[at]) * past));
          if (isMany) sigma.render();
          else sigma.refresh({ partialGraph: { nodes, edges: edges.slice(0, Math.ceil(share * edges.length)) }, skipIndexation: true });
        }
        if (past < 1 || isMoving) gliding = requestAnimationFrame(go);
      };
      isGliding = true;
      hurry();
      go();
    };
    worker.onerror = failed;
    worker.onmessage = ({ data: { places, isLast } }) => {
      if (isLast) worker.terminate();
      else {
        isWaiting = true;
        goOn();
      }
      if (!still) glide(places, isLast);
      else if (isLast) settle(places);
    };
    worker.postMessage({
      script: place.dataset.layout, count: total, edges: data.edges, rest: 0.5, rounds: total > 5000 ? 200 : 400, everyMs: GLIDE_MS,
    });
    place.graph = sigma;
    place.names = () => standing;

    return {
      all, links, isNote, addressOf, choose, zoom,
      nameOf: (node) => graph.getNodeAttribute(node, "label"),
      find: (nodes) => { found = nodes; light(); },
      kill: () => {
        cancelAnimationFrame(gliding);
        clearTimeout(resting);
        worker.terminate();
        sigma.kill();
      },
      paint: (kind) => { sigma.setSettings(colour(kind)); return data.groups[kind]; },
    };
  };
})();
