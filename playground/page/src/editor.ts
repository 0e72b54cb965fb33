// The editor: one view, and a state per file.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Marked } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, type Text } from "@codemirror/state";
import {
  crosshairCursor, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars,
  keymap, lineNumbers, rectangularSelection,
} from "@codemirror/view";
import type { About, Diagnostic, Span } from "../../compiler/src/index.js";
import { element } from "./dom.js";
import { keywordsOf, languageOf } from "./languages.js";

/** What editors and views of code share. */
export const basics: Extension = [
  lineNumbers(),
  highlightSpecialChars(),
  drawSelection(),
  EditorState.tabSize.of(4),
  EditorView.contentAttributes.of({ spellcheck: "false", autocapitalize: "off" }),
  highlightSelectionMatches(),
];

/** Words of the file, and of its language. */
function complete(name: string) {
  return (context: CompletionContext) => {
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
  };
}

/** The offset in the document of a line and a column, which counts characters from 1. */
export function offsetOf(doc: Text, line: number, column: number): number {
  const { from, text } = doc.line(Math.max(1, Math.min(line, doc.lines)));
  let offset = 0;
  for (const character of text) {
    if (column-- <= 1) break;
    offset += character.length;
  }
  return from + offset;
}

/** Where a span lies; never empty, so that it can be seen. */
function rangeOf(doc: Text, span: Span): { from: number; to: number } {
  const from = offsetOf(doc, span.line, span.column);
  const to = Math.max(offsetOf(doc, span.end_line, span.end_column), from);
  if (to > from) return { from, to };
  return from < doc.length ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from };
}

/** The message of a diagnostic with its help and what its code means. */
export function messageOf(diagnostic: Diagnostic, about: About, label: string): HTMLElement {
  const known = about.codes.find(({ code }) => code === diagnostic.code);
  return element("div", { class: "explained" },
    element("p", {}, element("b", {}, diagnostic.message)),
    label !== "" && element("p", {}, label),
    ...diagnostic.help.map((help) => element("p", { class: "help" }, `help: ${help}`)),
    known && element("details", {},
      element("summary", {}, `${known.code}: ${known.title}`),
      element("p", {}, known.explanation)));
}

export interface Events {
  /** A file has other contents. */
  change: (name: string, text: string) => void;
  /** The cursor is on another line. */
  line: (name: string, line: number) => void;
}

export class Editor {
  readonly view: EditorView;
  private states = new Map<string, EditorState>();
  private name = "";

  constructor(parent: HTMLElement, private readonly events: Events, private readonly more: Extension = []) {
    this.view = new EditorView({ parent });
  }

  /** The file that is shown. */
  get shown(): string {
    return this.name;
  }

  /** Other files altogether. */
  reset(files: Record<string, string>, name: string): void {
    this.states.clear();
    for (const [file, text] of Object.entries(files)) this.states.set(file, this.state(file, text));
    this.name = "";
    this.show(name);
  }

  /** Shows a file. */
  show(name: string): void {
    if (this.name === name) return;
    if (this.name) this.states.set(this.name, this.view.state);
    const state = this.states.get(name) ?? this.state(name, "");
    this.name = name;
    this.view.setState(state);
  }

  forget(name: string): void {
    this.states.delete(name);
    if (this.name === name) this.name = "";
  }

  /** Moves the cursor to a place, and there. */
  go(line: number, column: number): void {
    const at = offsetOf(this.view.state.doc, line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** Marks what is wrong in the file that is shown. */
  mark(diagnostics: readonly Diagnostic[], about: About): void {
    const doc = this.view.state.doc;
    const marked: Marked[] = diagnostics.flatMap((diagnostic) =>
      diagnostic.spans.filter(({ file }) => file === this.name).map((span) => ({
        ...rangeOf(doc, span),
        severity: span.primary ? (diagnostic.level === "error" ? "error" : "warning") : "info",
        message: diagnostic.message,
        renderMessage: () => messageOf(diagnostic, about, span.label),
      } satisfies Marked)));
    this.view.dispatch(setDiagnostics(this.view.state, marked));
  }

  private state(name: string, doc: string): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        basics,
        this.more,
        lintGutter(),
        foldGutter(),
        history(),
        indentOnInput(),
        indentUnit.of("    "),
        bracketMatching(),
        closeBrackets(),
        rectangularSelection(),
        crosshairCursor(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        EditorView.contentAttributes.of({ "aria-label": `Source of ${name}`, tabindex: "0" }),
        autocompletion({ override: [complete(name)] }),
        keymap.of([
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap,
          ...completionKeymap, ...lintKeymap, indentWithTab,
        ]),
        languageOf(name),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.events.change(name, update.state.doc.toString());
          if (update.docChanged || update.selectionSet) {
            this.events.line(name, update.state.doc.lineAt(update.state.selection.main.head).number);
          }
        }),
      ],
    });
  }
}

/** A view of code that cannot be changed. */
export function reader(parent: HTMLElement, label: string, ...more: Extension[]): EditorView {
  return new EditorView({ parent, state: readerState("", "", label, ...more) });
}

/** Its state for a text in the language of a file. */
export function readerState(name: string, doc: string, label: string, ...more: Extension[]): EditorState {
  return EditorState.create({
    doc,
    extensions: [
      basics,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      keymap.of([...defaultKeymap, ...searchKeymap]),
      languageOf(name),
      ...more,
    ],
  });
}
