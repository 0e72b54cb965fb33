// What the checker knows of the file that is edited: types under the pointer, completions, definitions, its form.

import type { Completion as Option, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { EditorSelection, type Extension, type Text } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap } from "@codemirror/view";
import { highlightCode } from "@lezer/highlight";
import type { Completion, Hover, Place, Position, Range } from "../../compiler/src/index.js";
import { element } from "./dom.js";
import { endingOf, highlighters, keywordsOf, parserOf } from "./languages.js";

/** Who answers; nothing comes back if there is no answer. */
export interface Checker {
  hover: (file: string, position: Position) => Promise<Hover | undefined>;
  completions: (file: string, position: Position) => Promise<Completion[]>;
  definition: (file: string, position: Position) => Promise<Place | undefined>;
  /** Goes to a place. */
  show: (place: Place) => void;
  format: () => void;
}

/** Files that the checker knows. */
const isKnown = (name: string) => ["goo", "sam", "ir", "abc"].includes(endingOf(name));

/** What one types in lists of instructions: words with what may stand before or in them. */
const LISTINGS: Record<string, RegExp> = { ir: /[@$&^%]?[\w.]*$/, abc: /[^\s"]*$/ };

function positionOf(doc: Text, offset: number): Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

/** The offsets of a range, as far as the document has it. */
export function offsetsOf(doc: Text, { start, end }: Range): { from: number; to: number } {
  const offset = ({ line, character }: Position) => {
    const { from, to } = doc.line(Math.min(line + 1, doc.lines));
    return Math.min(from + character, to);
  };
  return { from: offset(start), to: offset(end) };
}

/** Code in the colours of its language. */
function coloured(name: string, text: string): HTMLElement {
  const code = element("code");
  const parser = parserOf(name);
  const put = (part: string, classes: string) => void code.append(classes ? element("span", { class: classes }, part) : part);
  if (parser) highlightCode(text, parser.parse(text), highlighters, put, () => void code.append("\n"));
  else code.append(text);
  return code;
}

/** Words of the file, and of its language: where nobody knows better. */
function words(name: string, context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/\w+/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const counted = new Set<string>();
  for (const [found] of context.state.doc.toString().matchAll(/[A-Za-z_]\w*/g)) if (found !== word.text) counted.add(found);
  const keywords = keywordsOf(name);
  const options = [...counted].filter((label) => !keywords.includes(label)).map((label) => ({
    label,
    type: /^[A-Z]/.test(label) ? "class" : "variable",
  }));
  return { from: word.from, options: [...options, ...keywords.map((label) => ({ label, type: "keyword" }))], validFor: /^\w*$/ };
}

/** The kinds of CodeMirror. */
const KINDS: Partial<Record<Completion["sort"], string>> = { field: "property", constructor: "enum", operator: "function", label: "text" };

/** What stands beside a name: its type or its operands, without the name itself. */
const detailOf = (label: string, text: string): string =>
  text === label ? "" : text.replace(/^(?:val|method|function|class|func|RESULTS? =) /, "").replace(label, "").trim().replace(/\s+/g, " ").slice(0, 60);

/** Instructions with what they do, and the names that the file has for them. */
async function listed(name: string, typed: RegExp, checker: Checker, context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit && context.matchBefore(typed)!.text === "") return null;
  const { doc } = context.state;
  const found = await checker.completions(name, positionOf(doc, context.pos)).catch(() => []);
  if (!found[0]?.range) return null;
  const options = found.map(({ name: label, text, sort, comment }, order): Option => ({
    label, type: KINDS[sort] ?? sort, detail: detailOf(label, text), boost: Math.max(-99, 50 - order),
    ...(comment !== "" && { info: comment }),
  }));
  return { from: offsetsOf(doc, found[0].range).from, options, validFor: new RegExp(`^${typed.source}`) };
}

/** So many names are offered; of more only those that begin as what is typed, so that the page need not look at all of them. */
const OFFERED = 500;

/** In comments and texts anything may stand. */
const isProse = ({ state, pos }: CompletionContext) => /comment|string/.test(syntaxTree(state).resolveInner(pos, -1).name);

/** What may stand at the cursor, by the checker. */
export const completion = (name: string, checker: Checker) => async (context: CompletionContext): Promise<CompletionResult | null> => {
  if (isProse(context)) return null;
  if (!isKnown(name)) return words(name, context);
  const typed = LISTINGS[endingOf(name)];
  if (typed) return listed(name, typed, checker, context);
  const word = context.matchBefore(/\.?\w*/)!;
  const from = word.text.startsWith(".") ? word.from + 1 : word.from;
  if (word.from === word.to && !context.explicit) return null;
  if (/^\d/.test(word.text)) return null;
  const found = await checker.completions(name, positionOf(context.state.doc, context.pos)).catch(() => []);
  if (found.length === 0) return words(name, context);
  const begin = context.state.sliceDoc(from, context.pos).toLowerCase();
  const offered = found.length <= OFFERED ? found : found.filter(({ name }) => name.toLowerCase().startsWith(begin)).slice(0, OFFERED);
  const options = offered.map(({ name: label, text, sort }): Option => ({
    label, type: KINDS[sort] ?? sort, detail: detailOf(label, text),
  }));
  return { from, options, ...(offered === found && { validFor: /^\w*$/ }) };
};

/** The type of the name under the pointer. */
const tooltip = (name: string, checker: Checker) => hoverTooltip(async (view, offset) => {
  const found = await checker.hover(name, positionOf(view.state.doc, offset)).catch(() => undefined);
  if (!found) return null;
  const { from, to } = offsetsOf(view.state.doc, found.range);
  const dom = element("div", { class: "type-of" }, coloured(name, found.text), found.comment !== "" && element("p", {}, found.comment));
  return { pos: from, end: to, above: true, create: () => ({ dom }) };
}, { hoverTime: 350 });

async function goToDefinition(name: string, checker: Checker, view: EditorView, offset: number): Promise<void> {
  const place = await checker.definition(name, positionOf(view.state.doc, offset)).catch(() => undefined);
  if (place) checker.show(place);
}

/** Moves the cursor to a range. */
export function goTo(view: EditorView, range: Range): void {
  const { from, to } = offsetsOf(view.state.doc, range);
  view.dispatch({ selection: EditorSelection.single(from, to), effects: EditorView.scrollIntoView(from, { y: "center" }) });
  view.focus();
}

/** Keys and tooltips for a file. */
export function language(name: string, checker: Checker): Extension {
  return [
    isKnown(name) ? tooltip(name, checker) : [],
    keymap.of([
      { key: "Shift-Alt-f", run: () => (checker.format(), true), preventDefault: true },
      { key: "F12", run: (view) => (void goToDefinition(name, checker, view, view.state.selection.main.head), true) },
    ]),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        const at = (event.ctrlKey || event.metaKey) && event.button === 0 ? view.posAtCoords(event) : null;
        if (at === null || !isKnown(name)) return false;
        void goToDefinition(name, checker, view, at);
        return true;
      },
    }),
  ];
}
