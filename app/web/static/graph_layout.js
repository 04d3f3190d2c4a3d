// Lays a graph out by ForceAtlas2 in a worker, so that the page stays free; gives places as it goes, the last at the end.
// They lie between -1 and 1, so that the picture keeps its frame while they change. After each it waits to be told to go on,
// and how long to rest after some steps, as a share of what they took: evenly spread, the rests leave each picture the same room.
"use strict";
const STINT_MS = 15; // of work, at least, between two rests
// The program is a CommonJS module.
globalThis.module = {};
const begin = ({ script, count, edges, rounds, everyMs }) => {
  importScripts(script);
  const step = module.exports;
  const seen = new Set(), links = new Uint32Array(count), pairs = [];
  for (let at = 0; at < edges.length; at += 2) {
    const [one, other] = [edges[at], edges[at + 1]].sort((a, b) => a - b);
    if (seen.has(one * count + other)) continue;
    seen.add(one * count + other);
    links[one] += 1;
    links[other] += 1;
    pairs.push(one, other);
  }
  // What is linked with nothing has no place of its own: it stands in rings around the others, which are laid out without it.
  const all = Array.from({ length: count }, (_, node) => node);
  const linked = all.filter((node) => links[node]), alone = all.filter((node) => !links[node]);
  const row = new Uint32Array(count);
  // Ten numbers a node (x, y, four for its motion, mass, convergence, size, fixed), three an edge (ends, weight).
  const nodes = new Float32Array(10 * linked.length);
  linked.forEach((node, at) => {
    row[node] = at;
    // A sunflower's order: even, and the same each time.
    const turn = at * 2.399963, far = 10 * Math.sqrt(at + 1);
    nodes.set([far * Math.cos(turn), far * Math.sin(turn), 0, 0, 0, 0, 1 + links[node], 1, 1, 0], 10 * at);
  });
  const matrix = new Float32Array(pairs.length * 1.5);
  for (let at = 0; at < pairs.length; at += 2) matrix.set([10 * row[pairs[at]], 10 * row[pairs[at + 1]], 1], at * 1.5);
  const settings = {
    linLogMode: false, outboundAttractionDistribution: false, adjustSizes: false, edgeWeightInfluence: 1, scalingRatio: 10,
    strongGravityMode: true, gravity: 0.05, slowDown: 1 + Math.log(count), barnesHutOptimize: linked.length > 400, barnesHutTheta: 1,
  };
  const places = () => {
    const found = new Float32Array(2 * count);
    let x = 0, y = 0;
    for (let at = 0; at < nodes.length; at += 10) { x += nodes[at] / linked.length; y += nodes[at + 1] / linked.length; }
    const reaches = Float32Array.from(linked, (_, at) => Math.hypot(nodes[10 * at] - x, nodes[10 * at + 1] - y));
    // Two notes that only know one another drift far off: what lies beyond most others is drawn nearer, the order kept.
    const near = 1.2 * (reaches.slice().sort()[Math.floor(0.95 * linked.length)] || 1);
    let far = near;
    linked.forEach((node, at) => {
      const reach = reaches[at], drawn = reach > near ? near * (1.25 - 0.25 * near / reach) / reach : 1;
      found.set([(nodes[10 * at] - x) * drawn, (nodes[10 * at + 1] - y) * drawn], 2 * node);
      far = Math.max(far, reach * drawn);
    });
    // As far from one another as those inside are on average, so that few of them make a thin ring and many a broad one.
    const apart = 2 * far / Math.sqrt(linked.length + alone.length + 1);
    let ring = linked.length ? far + 1.5 * apart : apart, on = 0, room = 1;
    for (const node of alone) {
      if (on === 0) room = Math.max(1, Math.min(alone.length, Math.floor(2 * Math.PI * ring / apart)));
      found.set([ring * Math.cos(2 * Math.PI * on / room), ring * Math.sin(2 * Math.PI * on / room)], 2 * node);
      if (++on >= room) { on = 0; ring += apart; }
    }
    const reach = found.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
    return found.map((value) => value / reach);
  };
  let round = 0;
  return (rest) => {
    const begun = performance.now();
    const goOn = () => {
      const before = performance.now(), isDone = () => round === rounds || performance.now() - begun >= everyMs;
      do {
        round += 1;
        if (linked.length) step(settings, nodes, matrix);
      } while (!isDone() && (!rest || performance.now() - before < STINT_MS));
      if (!isDone()) return setTimeout(goOn, rest * (performance.now() - before));
      const found = places();
      postMessage({ places: found, isLast: round === rounds }, [found.buffer]);
    };
    goOn();
  };
};
let goOn = null;
onmessage = ({ data }) => {
  goOn ??= begin(data);
  goOn(data.rest);
};
