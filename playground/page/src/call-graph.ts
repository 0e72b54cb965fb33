// Who calls whom, as a picture of what `--emit calls` says: a box for each function, an arrow for each call.

import dagre from "@dagrejs/dagre";
import { element, svg } from "./dom.js";

interface Point {
  x: number;
  y: number;
}

interface Call {
  from: string;
  to: string;
  notes: string;
}

interface Graph {
  /** Why a function may collect, or that it never does; nothing for what is not known before the program runs. */
  functions: Map<string, string>;
  calls: Call[];
}

/** A larger graph is no picture any more. */
const MOST = 150;
const [LETTER, HEIGHT, MARGIN] = [7.3, 26, 18];

/** Reads the text: a line for each function, and below it one for each function that it calls. */
export function graphOf(text: string): Graph {
  const graph: Graph = { functions: new Map(), calls: [] };
  let from = "";
  for (const line of text.split("\n")) {
    const [, indent, name, notes] = /^( *)(\S+)(?: {2}(.*))?$/.exec(line) ?? [];
    if (name === undefined || name === ";") continue;
    if (indent === "") graph.functions.set((from = name), notes ?? "");
    else graph.calls.push({ from, to: name, notes: notes ?? "" });
  }
  for (const { to } of graph.calls) if (!graph.functions.has(to)) graph.functions.set(to, "");
  return graph;
}

/** The picture with what its colours mean. */
export function picture(text: string): HTMLElement {
  const { functions, calls } = graphOf(text);
  if (functions.size > MOST) return element("p", { class: "note" }, `${functions.size} functions are too many for a picture.`);
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 24, ranksep: 56, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const name of functions.keys()) graph.setNode(name, { width: 20 + LETTER * name.length, height: HEIGHT });
  for (const { from, to } of calls) if (from !== to) graph.setEdge(from, to);
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const marker = (kind: string) => svg("marker", { id: `call-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
    svg("path", { d: "M0 0 8 4 0 8z", class: `call-tip ${kind}` }));
  const arrows = calls.map(({ from, to, notes }) => {
    const isSafepoint = notes.includes("safepoint");
    const classes = `call${isSafepoint ? " safepoint" : ""}${/(?:^|, )tail call/.test(notes) ? " tail" : ""}`;
    return svg("path", { d: from === to ? loop(graph.node(from)) : line(graph.edge(from, to) as { points: Point[] }), class: classes, "marker-end": `url(#call-${isSafepoint ? "safepoint" : "plain"})` },
      svg("title", {}, `${from} calls ${to}${notes && `: ${notes}`}`));
  });
  const boxes = [...functions].map(([name, reason]) => {
    const { x, y, width } = graph.node(name);
    return svg("g", { class: reason === "never collects" ? "leaf" : "", transform: `translate(${x - width / 2} ${y - HEIGHT / 2})` },
      svg("title", {}, reason || "known only when the program runs"), svg("rect", { width, height: HEIGHT, rx: 5 }), svg("text", { x: 10, y: 17 }, name));
  });
  const drawn = svg("svg", { role: "img", "aria-label": `Who calls whom: ${functions.size} functions, ${calls.length} calls`, width, height, viewBox: `0 0 ${width} ${height}` },
    svg("defs", {}, marker("plain"), marker("safepoint")), ...arrows, ...boxes);
  const region = element("div", { class: "call-graph", tabindex: 0, role: "region", "aria-label": "Picture of the calls" },
    element("p", { class: "note" }, "Green: never collects. Red arrow: safepoint. Dashed arrow: tail call."), drawn);
  // Where the program begins is seen first.
  const start = [...functions.keys()].find((name) => /^\.start$|_Start$|^main$/.test(name)) ?? [...functions.keys()][0];
  if (start !== undefined) {
    const { x, y } = graph.node(start);
    requestAnimationFrame(() => region.scrollTo(x - region.clientWidth / 2, y - region.clientHeight / 2));
  }
  return region;
}

const line = ({ points }: { points: Point[] }): string => `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

/** From a function to itself: above its box. */
function loop({ x, y, width }: Point & { width: number }): string {
  const [right, top] = [x + width / 2 - 10, y - HEIGHT / 2];
  return `M${right} ${top}C${right + 6} ${top - 18} ${right - 26} ${top - 18} ${right - 18} ${top}`;
}
