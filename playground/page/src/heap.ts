// The heap as a picture: a box for each cell with its fields, and arrows for references.

import type { Cell, State } from "../../compiler/src/index.js";
import { element, svg } from "./dom.js";
import { Hiding } from "./hiding.js";
import { Layout, ROW, widthOf, type Arrow, type Box, type Point } from "./heap-layout.js";

/** Roots that are drawn at most. */
const ROOTS = 40;
/** Cells whose old places are drawn at most. */
const FROM_SPACE = 20;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Rows of a cell: its texts, and the cells that they lead to. */
interface Drawn extends Box {
  title: string;
  badge: string;
  rows: { text: string; to: string | undefined }[];
  classes: string;
  label: string;
}

const idOf = (address: number): string => `c${address}`;

export class HeapPicture {
  readonly element = element("div", { class: "heap" });
  private readonly layout = new Layout();
  private readonly canvas = svg("svg", { role: "img", "aria-label": "The heap", tabindex: 0 }) as SVGSVGElement;
  private readonly arrows = svg("g", { class: "arrows" });
  private readonly boxes = svg("g", { class: "boxes" });
  private readonly fromSpace = svg("g", { class: "vacated" });
  private readonly shown = new Map<string, SVGElement>();
  private view = { x: 0, y: 0, scale: 1 };
  private extent = { left: 0, top: 0, width: 0, height: 0 };
  private moved = false;
  private filter = "";
  private state: State | undefined;
  /** What is left out. */
  readonly hiding = new Hiding(() => this.state && this.show(this.state));

  constructor() {
    const marker = svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
      svg("path", { d: "M0 0 8 4 0 8z", class: "tip" }));
    this.canvas.append(svg("defs", {}, marker), this.arrows, this.boxes, this.fromSpace);
    const tools = element("div", { class: "heap-tools" },
      element("button", { title: "Larger", "aria-label": "Larger", onclick: () => this.zoom(1.25) }, "+"),
      element("button", { title: "Smaller", "aria-label": "Smaller", onclick: () => this.zoom(0.8) }, "−"),
      element("button", { title: "Show everything", onclick: () => this.fit() }, "Fit"),
      element("button", { title: "Lay out anew", onclick: () => this.tidy() }, "Tidy"),
      element("input", { placeholder: "find a cell", "aria-label": "Find cells by name", size: 9, oninput: (event) => this.find((event.target as HTMLInputElement).value) }));
    this.element.append(this.canvas, tools);
    this.listen();
  }

  /** Draws a state. */
  show(all: State): void {
    this.state = all;
    const state = this.hiding.visible(all);
    const drawn = this.drawnOf(state);
    const arrows: Arrow[] = drawn.flatMap(({ id, rows }) => rows.flatMap(({ to }) => (to === undefined ? [] : [{ from: id, to }])));
    const before = [...this.shown.keys()].filter((id) => id.startsWith("c")).length;
    const places = this.layout.place(drawn, arrows, state);
    this.draw(drawn, places);
    const used = drawn.map((box) => ({ box, ...places.get(box.id)! }));
    const [left, top] = [Math.min(12, ...used.map(({ x }) => x)) - 12, Math.min(12, ...used.map(({ y }) => y)) - 12];
    this.extent = {
      left,
      top,
      width: Math.max(0, ...used.map(({ box, x }) => x + box.width)) + 16 - left,
      height: Math.max(0, ...used.map(({ box, y }) => y + box.height)) + 16 - top,
    };
    this.drawFromSpace(state, before);
    if (!this.moved) this.fit();
    this.canvas.setAttribute("aria-label", `The heap: ${state.cells.length} ${state.cells.length === 1 ? "cell" : "cells"}`);
  }

  /** After a collection: cells were copied, and where they lay is nothing. */
  private drawFromSpace(state: State, before: number): void {
    const isCollected = state.events.some(({ kind }) => kind === "collected") && state.cells.every(({ count }) => count === null);
    this.fromSpace.replaceChildren();
    if (!isCollected) return;
    const { left, height } = this.extent;
    const [size, gap, most] = [30, 6, Math.min(before, FROM_SPACE)];
    const width = Math.max(300, most * (size + gap) + 24);
    const top = this.extent.top + height + 8;
    this.fromSpace.append(
      svg("rect", { x: left + 12, y: top, width, height: 62, rx: 6, class: "from-space" }),
      svg("text", { x: left + 22, y: top + 17 }, `collection ${state.collections}: from-space is empty`),
      ...Array.from({ length: most }, (_, index) => svg("rect", { x: left + 22 + index * (size + gap), y: top + 26, width: size, height: 24, rx: 4, class: "left" })));
    this.extent = { ...this.extent, width: Math.max(this.extent.width, width + 28), height: height + 80 };
  }

  clear(): void {
    this.fromSpace.replaceChildren();
    this.layout.reset();
    this.arrows.replaceChildren();
    this.boxes.replaceChildren();
    this.shown.clear();
    this.moved = false;
    this.state = undefined;
  }

  private tidy(): void {
    this.layout.reset();
    this.moved = false;
    if (this.state) this.show(this.state);
  }

  private find(text: string): void {
    this.filter = text.trim().toLowerCase();
    if (this.state) this.show(this.state);
  }

  private drawnOf(state: State): Drawn[] {
    const known = new Set(state.cells.map(({ address }) => address));
    const events = new Map(state.events.map(({ cell, kind }) => [cell, kind]));
    const roots = state.roots.filter(({ cell }) => known.has(cell)).slice(0, ROOTS).map((root, index): Drawn => {
      const isHere = root.call === state.call;
      const title = root.call === null || isHere ? root.name : `${root.name} (call ${root.call})`;
      return {
        id: `r${root.call}.${root.name}.${index}`, isRoot: true, width: widthOf([title]), height: ROW + 4, title: cut(title, 24), badge: "", label: `variable ${title}`,
        rows: [{ text: "", to: idOf(root.cell) }], classes: `root${isHere ? " here" : ""}`,
      };
    });
    const cells = state.cells.map((cell): Drawn => {
      const rows = rowsOf(cell, known);
      const title = titleOf(cell);
      const badge = cell.count === null || cell.kind === "free" ? "" : String(cell.count);
      const event = events.get(cell.address);
      const isFound = this.filter === "" || title.toLowerCase().includes(this.filter) || rows.some(({ text }) => text.toLowerCase().includes(this.filter));
      return {
        id: idOf(cell.address), isRoot: false, width: widthOf([title + "  ".repeat(badge.length), ...rows.map(({ text }) => text)]), height: ROW * (1 + rows.length) + 2,
        title, badge, rows, classes: [cell.kind, cell.static ? "static" : "", cell.named ? "" : "nameless", event ?? "", isFound ? "" : "dimmed"].join(" "),
        label: `${cell.kind} ${title}${badge === "" ? "" : `, count ${badge}`}${cell.named ? "" : ", no variable leads to it"}`,
      };
    });
    return [...roots, ...cells];
  }

  private draw(drawn: Drawn[], places: Map<string, Point>): void {
    const left = new Set(this.shown.keys());
    const lines: SVGElement[] = [];
    const sizes = new Map(drawn.map((box) => [box.id, box]));
    for (const box of drawn) {
      const { x, y } = places.get(box.id)!;
      left.delete(box.id);
      let group = this.shown.get(box.id);
      if (!group) {
        group = svg("g", {});
        this.shown.set(box.id, group);
        this.boxes.append(group);
      }
      group.setAttribute("class", `cell ${box.classes}`);
      group.setAttribute("style", `transform: translate(${x}px, ${y}px)`);
      group.replaceChildren(...contents(box));
      box.rows.forEach(({ to }, row) => {
        if (to === undefined || !places.has(to)) return;
        const start = { x: x + box.width - (box.classes.startsWith("root") ? 0 : 9), y: box.classes.startsWith("root") ? y + box.height / 2 : y + ROW * (row + 1.5) };
        lines.push(arrow(start, places.get(to)!, sizes.get(to)!, box.classes));
      });
    }
    for (const id of left) {
      this.shown.get(id)!.remove();
      this.shown.delete(id);
    }
    this.arrows.replaceChildren(...lines);
  }

  private zoom(factor: number, around = { x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2 }): void {
    const scale = Math.max(0.08, Math.min(4, this.view.scale * factor));
    const real = scale / this.view.scale;
    this.view = { scale, x: around.x - (around.x - this.view.x) * real, y: around.y - (around.y - this.view.y) * real };
    this.moved = true;
    this.apply();
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.canvas;
    // The tools are below the picture.
    const scale = Math.min(1.15, clientWidth / Math.max(1, this.extent.width), (clientHeight - 44) / Math.max(1, this.extent.height));
    this.view = { scale: Math.max(scale, 0.08), x: 4 - this.extent.left * scale, y: 4 - this.extent.top * scale };
    this.moved = false;
    this.apply();
  }

  private apply(): void {
    const { x, y, scale } = this.view;
    for (const group of [this.arrows, this.boxes, this.fromSpace]) group.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }

  private listen(): void {
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { left, top } = this.canvas.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? 1.12 : 0.89, { x: event.clientX - left, y: event.clientY - top });
    }, { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      const start = { x: event.clientX - this.view.x, y: event.clientY - this.view.y };
      const move = (to: PointerEvent) => {
        this.moved = true;
        this.view = { ...this.view, x: to.clientX - start.x, y: to.clientY - start.y };
        this.apply();
      };
      this.canvas.addEventListener("pointermove", move);
      this.canvas.addEventListener("pointerup", () => this.canvas.removeEventListener("pointermove", move), { once: true });
    });
    this.canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
      if (event.key === "+" || event.key === "=") this.zoom(1.2);
      else if (event.key === "-") this.zoom(0.83);
      else if (step) {
        this.view = { ...this.view, x: this.view.x + step[0]!, y: this.view.y + step[1]! };
        this.moved = true;
        this.apply();
      } else return;
      event.preventDefault();
    });
  }
}

function titleOf({ kind, name, address }: Cell): string {
  const word = { thunk: `⟨${name}⟩`, blackhole: "being evaluated", indirection: "→", free: "freed", string: "text", array: "array", basic: name }[kind as string];
  return cut(word ?? (name || `#${address.toString(16)}`), 24);
}

function rowsOf(cell: Cell, known: Set<number>): Drawn["rows"] {
  if (cell.text !== null) return [{ text: cut(JSON.stringify(cell.text), 24), to: undefined }];
  const rows = cell.fields.slice(0, 12).map(({ text, cell: to }) =>
    to !== null && known.has(to) ? { text: "", to: idOf(to) } : { text: cut(text, 22), to: undefined });
  const more = cell.fields.length - rows.length + cell.more;
  return more > 0 ? [...rows, { text: `${more} more`, to: undefined }] : rows;
}

function contents(box: Drawn): SVGElement[] {
  const { width, height, title, badge, rows } = box;
  const made = [
    svg("title", {}, box.label),
    svg("rect", { width, height, rx: box.classes.startsWith("root") ? 12 : 5 }),
    svg("text", { x: 8, y: 15, class: "name" }, title),
  ];
  if (badge !== "") {
    made.push(svg("circle", { cx: width - 12, cy: 10.5, r: 8, class: "count" }), svg("text", { x: width - 12, y: 14.5, class: "count" }, badge));
  }
  if (box.classes.startsWith("root")) return made;
  rows.forEach(({ text, to }, row) => {
    const y = ROW * (row + 1);
    made.push(svg("line", { x1: 0, x2: width, y1: y, y2: y }));
    if (to === undefined) made.push(svg("text", { x: 8, y: y + 15, class: "value" }, text));
    else made.push(svg("circle", { cx: width - 9, cy: y + ROW / 2, r: 3.2, class: "dot" }));
  });
  return made;
}

/** From a field to the side of a cell that is nearest. */
function arrow(start: Point, place: Point, box: Box, classes: string): SVGElement {
  const isRight = place.x > start.x;
  const end = { x: isRight ? place.x : place.x + box.width / 2, y: isRight ? place.y + 11 : place.y + box.height };
  const bend = Math.max(24, Math.abs(end.x - start.x) / 2.4);
  const path = isRight
    ? `M${start.x} ${start.y} C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`
    : `M${start.x} ${start.y} C${start.x + bend} ${start.y} ${end.x} ${end.y + 40} ${end.x} ${end.y}`;
  return svg("path", { d: path, class: classes.startsWith("root") ? "from-root" : "", "marker-end": "url(#tip)" });
}
