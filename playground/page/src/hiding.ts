// What the picture of the heap leaves out: variables, fields, counts, and cells that no variable leads to.

import type { Cell, State } from "../../compiler/src/index.js";
import { element } from "./dom.js";

const fieldOf = (cell: Cell, index: number): string => `${cell.name} ${index + 1}`;

/** A checkbox with its label. */
function box(text: string, checked: boolean, change: (checked: boolean) => void): HTMLElement {
  const input = element("input", { type: "checkbox", checked, onchange: () => change(input.checked) });
  return element("label", {}, input, text);
}

export class Hiding {
  readonly element: HTMLElement;
  private readonly variables = new Set<string>();
  private readonly fields = new Set<string>();
  private counts = true;
  private nameless = true;
  private readonly lists = element("div", {});
  /** What the lists are of: they stay as they are as long as that is the same. */
  private listed = "";

  constructor(private readonly changed: () => void) {
    const set = (key: "counts" | "nameless") => (checked: boolean) => {
      this[key] = checked;
      changed();
    };
    this.element = element("details", { class: "hiding" }, element("summary", {}, "What is drawn"),
      box("cells that no variable leads to", true, set("nameless")), box("counts of references", true, set("counts")), this.lists);
  }

  /** Another program: nothing is hidden. */
  clear(): void {
    this.variables.clear();
    this.fields.clear();
    this.listed = "";
    this.lists.replaceChildren();
  }

  /** The state without what is hidden. */
  visible(state: State): State {
    this.list(state);
    const roots = state.roots.filter(({ name }) => !this.variables.has(name));
    const cells = state.cells.map((cell): Cell => ({
      ...cell,
      count: this.counts ? cell.count : null,
      fields: cell.fields.filter((_, index) => !this.fields.has(fieldOf(cell, index))),
    }));
    const byAddress = new Map(cells.map((cell) => [cell.address, cell]));
    const reached = new Set<number>();
    const reach = (from: number[]) => {
      const open = [...from];
      for (let address = open.pop(); address !== undefined; address = open.pop()) {
        const cell = byAddress.get(address);
        if (!cell || reached.has(address)) continue;
        reached.add(address);
        for (const { cell: to } of cell.fields) if (to !== null) open.push(to);
      }
    };
    reach(roots.map(({ cell }) => cell));
    if (this.nameless) {
      // Those that no other cell refers to; a cycle begins anywhere.
      const inner = new Set(state.cells.flatMap(({ fields }) => fields.map(({ cell }) => cell)));
      const others = state.cells.filter(({ named }) => !named);
      reach(others.filter(({ address }) => !inner.has(address)).map(({ address }) => address));
      if (this.fields.size === 0) reach(others.map(({ address }) => address));
    }
    return { ...state, roots, cells: cells.filter(({ address }) => reached.has(address)) };
  }

  /** Checkboxes for the variables and fields that there are, and for those that are hidden. */
  private list(state: State): void {
    const variables = [...new Set([...state.roots.map(({ name }) => name), ...this.variables])].sort();
    const known = new Map<string, number>();
    for (const { name, kind, fields } of state.cells) {
      if (kind === "node" && name !== "") known.set(name, Math.max(known.get(name) ?? 0, fields.length));
    }
    for (const field of this.fields) {
      const [name, number] = field.split(/ (?=\d+$)/) as [string, string];
      known.set(name, Math.max(known.get(name) ?? 0, Number(number)));
    }
    const constructors = [...known].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1));
    const listed = JSON.stringify([variables, constructors]);
    if (listed === this.listed) return;
    this.listed = listed;
    const toggle = (set: Set<string>, key: string, text: string) => box(text, !set.has(key), (checked) => {
      if (checked) set.delete(key);
      else set.add(key);
      this.changed();
    });
    const group = (title: string, ...boxes: HTMLElement[]) => boxes.length > 0 && element("fieldset", {}, element("legend", {}, title), ...boxes);
    const groups = [
      group("Variables", ...variables.map((name) => toggle(this.variables, name, name))),
      ...constructors.map(([name, count]) =>
        group(`Fields of ${name}`, ...Array.from({ length: Math.min(count, 12) }, (_, index) => toggle(this.fields, `${name} ${index + 1}`, `${index + 1}`)))),
    ];
    this.lists.replaceChildren(...groups.filter((one) => one !== false));
  }
}
