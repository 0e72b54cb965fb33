// In the editor: where the program stands, and the lines on which it shall stop.

import { RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker, type DecorationSet } from "@codemirror/view";

const here = Decoration.line({ class: "cm-here" });
const spot = Decoration.mark({ class: "cm-here-spot" });
const setHere = StateEffect.define<{ line: number; column: number } | null>();
const toggle = StateEffect.define<number>();

const current = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setHere)) continue;
      const { doc } = transaction.state;
      if (!effect.value || effect.value.line > doc.lines) return Decoration.none;
      const line = doc.line(effect.value.line);
      const at = Math.min(line.from + effect.value.column - 1, line.to);
      const word = /^\w*/.exec(doc.sliceString(at, line.to))![0].length;
      const marks = [here.range(line.from)];
      if (at < line.to) marks.push(spot.range(at, at + Math.max(1, word)));
      return Decoration.set(marks);
    }
    return transaction.docChanged ? Decoration.none : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Dot extends GutterMarker {
  override toDOM(): Node {
    const dot = document.createElement("span");
    dot.className = "breakpoint";
    dot.textContent = "●";
    return dot;
  }
}
const dot = new Dot();

const marks = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(value, transaction) {
    let set = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(toggle)) continue;
      let found = false;
      set.between(effect.value, effect.value, () => void (found = true));
      set = found
        ? set.update({ filter: (from) => from !== effect.value })
        : set.update({ add: [dot.range(effect.value)] });
    }
    return set;
  },
});

/** The extension; `changed` is told the line that was set or cleared. */
export function breakpoints(changed: (line: number, set: boolean) => void): Extension {
  return [
    current,
    marks,
    gutter({
      class: "cm-breakpoints",
      markers: (view) => view.state.field(marks),
      initialSpacer: () => dot,
      domEventHandlers: {
        mousedown(view, block) {
          toggleAt(view, block.from, changed);
          return true;
        },
      },
    }),
  ];
}

function toggleAt(view: EditorView, from: number, changed: (line: number, set: boolean) => void): void {
  view.dispatch({ effects: toggle.of(from) });
  let set = false;
  view.state.field(marks).between(from, from, () => void (set = true));
  changed(view.state.doc.lineAt(from).number, set);
}

/** Sets or clears the breakpoint of the line with the cursor. */
export function toggleHere(view: EditorView, changed: (line: number, set: boolean) => void): boolean {
  toggleAt(view, view.state.doc.lineAt(view.state.selection.main.head).from, changed);
  return true;
}

/** The lines with breakpoints. */
export function linesOf(view: EditorView): number[] {
  const lines: number[] = [];
  for (const cursor = view.state.field(marks).iter(); cursor.value; cursor.next()) lines.push(view.state.doc.lineAt(cursor.from).number);
  return lines;
}

/** Shows where the program stands, or nothing. */
export function showHere(view: EditorView, place: { line: number; column: number } | null): void {
  const effects: StateEffect<unknown>[] = [setHere.of(place)];
  if (place && place.line <= view.state.doc.lines) {
    effects.push(EditorView.scrollIntoView(view.state.doc.line(place.line).from, { y: "nearest", yMargin: 60 }));
  }
  view.dispatch({ effects });
}
