// Lines of two texts that belong together: those of the source, and what they became.

import { RangeSetBuilder, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";

/** A line of a source, as `main.goo:7`. */
export type Origin = string;

/** A text without the comments that say where its lines came from, and what these said. */
export function withoutOrigins(text: string): { text: string; origins: (Origin | undefined)[] } {
  const origins: (Origin | undefined)[] = [];
  let last: Origin | undefined;
  const lines = text.split("\n").map((line) => {
    const found = / *;;? (\S+):(\d+):\d+$/.exec(line);
    // A function without a place has none from the one before.
    if (found) last = `${found[1]}:${found[2]}`;
    else if (/^(?:func |type |  \(func )/.test(line)) last = undefined;
    origins.push(/^[ )}]*$/.test(line) ? undefined : last);
    return found ? line.slice(0, found.index) : line;
  });
  return { text: lines.join("\n"), origins };
}

/** Lines that a class marks, from 1. */
function marking(name: string): { extension: Extension; show: (view: EditorView, lines: readonly number[]) => void } {
  const line = Decoration.line({ class: name });
  const set = StateEffect.define<readonly number[]>();
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(value, transaction) {
      for (const effect of transaction.effects) {
        if (!effect.is(set)) continue;
        const builder = new RangeSetBuilder<Decoration>();
        const { doc } = transaction.state;
        for (const number of effect.value) {
          if (number <= doc.lines) builder.add(doc.line(number).from, doc.line(number).from, line);
        }
        return builder.finish();
      }
      return value.map(transaction.changes);
    },
    provide: (provided) => EditorView.decorations.from(provided),
  });
  return { extension: field, show: (view, lines) => view.dispatch({ effects: set.of(lines) }) };
}

/** Lines that the other text lacks, and those that belong to the line with the cursor. */
export const changes = marking("cm-changed");
export const links = marking("cm-linked");

/** The lines that came from a line of the source. */
export const linesFrom = (origins: readonly (Origin | undefined)[], origin: Origin | undefined): number[] =>
  origin === undefined ? [] : origins.flatMap((one, index) => (one === origin ? [index + 1] : []));
