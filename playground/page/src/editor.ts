// The editor: one view, and a state per file.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Marked } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, type Text } from "@codemirror/state";
import {
  crosshairCursor, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars,
  keymap, lineNumbers, rectangularSelection,
} from "@codemirror/view";
import type { About, Diagnostic, Range, Span } from "../../compiler/src/index.js";
import { element } from "./dom.js";
import { completion, goTo, language, type Checker } from "./language.js";
import { languageOf } from "./languages.js";

/** What editors and views of code share. */
export const basics: Extension = [
  lineNumbers(),
  highlightSpecialChars(),
  drawSelection(),
  EditorState.tabSize.of(4),
  EditorView.contentAttributes.of({ spellcheck: "false", autocapitalize: "off" }),
  highlightSelectionMatches(),
];

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
  checker: Checker;
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
    this.show(name, files[name] ?? "");
  }

  /** Shows a file, with this text unless it was shown before. */
  show(name: string, text: string): void {
    if (this.name === name) return;
    if (this.name) this.states.set(this.name, this.view.state);
    const state = this.states.get(name) ?? this.state(name, text);
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

  /** Shows a range of the file that is shown. */
  goTo(range: Range): void {
    goTo(this.view, range);
  }

  /** Gives the file that is shown another text, in one step that can be undone; the cursor stays in its line. */
  replace(text: string): void {
    const { state } = this.view;
    const line = state.doc.lineAt(state.selection.main.head);
    const lines = text.split("\n");
    const number = Math.min(line.number, lines.length);
    const from = lines.slice(0, number - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const anchor = from + Math.min(state.selection.main.head - line.from, lines[number - 1]!.length);
    this.view.dispatch({ changes: { from: 0, to: state.doc.length, insert: text }, selection: { anchor }, scrollIntoView: true });
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
        autocompletion({ override: [completion(name, this.events.checker)] }),
        language(name, this.events.checker),
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
