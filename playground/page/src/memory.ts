// What becomes of memory, at the end of each line: cells that are new, cells that take the memory of others, and what is
// released. The texts are those of `cleave check --memory-report`.

import { StateEffect, StateField, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import { element } from "./dom.js";

/** What is said of a line. */
interface Remark {
  kind: "reused" | "new" | "released";
  text: string;
}

/** By file, then by line. */
export type Report = Map<string, Map<number, Remark[]>>;

/** Reads a report. Places of the main file stand there without its name; atoms need no memory, so nothing is said. */
export function reportOf(text: string, main: string): Report {
  const report: Report = new Map();
  for (const [, file, line, what] of text.matchAll(/^ {2}(?:(\S+):)?(\d+):\d+ +(.+)$/gm)) {
    const kind = / takes the memory of /.test(what!) ? "reused" : / is new/.test(what!) ? "new" : / is released/.test(what!) ? "released" : undefined;
    if (!kind) continue;
    const lines = report.get(file ?? main) ?? new Map<number, Remark[]>();
    report.set(file ?? main, lines);
    const remarks = lines.get(Number(line)) ?? [];
    lines.set(Number(line), remarks);
    // A generic function is compiled several times.
    if (!remarks.some((other) => other.text === what)) remarks.push({ kind, text: what!.replaceAll("`", "") });
  }
  return report;
}

class Remarks extends WidgetType {
  constructor(private readonly remarks: readonly Remark[]) {
    super();
  }

  override eq(other: Remarks): boolean {
    return JSON.stringify(other.remarks) === JSON.stringify(this.remarks);
  }

  override toDOM(): HTMLElement {
    return element("span", { class: "cm-memory" }, ...this.remarks.map(({ kind, text }) => element("span", { class: kind }, text)));
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

const set = StateEffect.define<ReadonlyMap<number, Remark[]>>();

/** In the editor: remarks stay with their lines until others come. */
export const remarks: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(set)) continue;
      const { doc } = transaction.state;
      const found: Range<Decoration>[] = [];
      for (const [line, list] of effect.value) {
        if (line <= doc.lines) found.push(Decoration.widget({ widget: new Remarks(list), side: 1 }).range(doc.line(line).to));
      }
      return Decoration.set(found, true);
    }
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows what a report says of a file; nothing without one. */
export const showRemarks = (view: EditorView, report: Report | undefined, file: string): void =>
  view.dispatch({ effects: set.of(report?.get(file) ?? new Map()) });
