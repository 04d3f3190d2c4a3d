// Lays a graph out by ForceAtlas2 in a worker, so that the page stays free; gives places as it goes, the last at the end.
"use strict";
// The program is a CommonJS module.
globalThis.module = {};
onmessage = ({ data: { script, count, edges, rounds } }) => {
  importScripts(script);
  const step = module.exports;
  // Ten numbers a node (x, y, four for its motion, mass, convergence, size, fixed), three an edge (ends, weight).
  const nodes = new Float32Array(10 * count);
  for (let at = 0; at < count; at++) {
    // A sunflower's order: even, and the same each time.
    const turn = at * 2.399963, far = 10 * Math.sqrt(at + 1);
    nodes.set([far * Math.cos(turn), far * Math.sin(turn), 0, 0, 0, 0, 1, 1, 1, 0], 10 * at);
  }
  const seen = new Set(), ends = [];
  for (let at = 0; at < edges.length; at += 2) {
    const [one, other] = [edges[at], edges[at + 1]].sort((a, b) => a - b);
    if (seen.has(one * count + other)) continue;
    seen.add(one * count + other);
    nodes[10 * one + 6] += 1;
    nodes[10 * other + 6] += 1;
    ends.push(10 * one, 10 * other, 1);
  }
  const matrix = Float32Array.from(ends);
  const settings = {
    linLogMode: false, outboundAttractionDistribution: false, adjustSizes: false, edgeWeightInfluence: 1, scalingRatio: 10,
    strongGravityMode: true, gravity: 0.05, slowDown: 1 + Math.log(count), barnesHutOptimize: count > 400, barnesHutTheta: 1,
  };
  let told = performance.now();
  for (let round = 1; round <= rounds; round++) {
    step(settings, nodes, matrix);
    if (round < rounds && performance.now() - told < 300) continue;
    told = performance.now();
    const places = new Float32Array(2 * count);
    for (let at = 0; at < count; at++) places.set(nodes.subarray(10 * at, 10 * at + 2), 2 * at);
    postMessage({ places, share: round / rounds });
  }
};
