// What an editor asks of a program: types, definitions, completions, the form of a file. The answers are those of the
// language server, `cleave lsp`.

/** A place in a file: lines and units of UTF-16, from 0. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** A name with its type, and the comment above its definition. */
export interface Hover {
  /** As the program would write it. */
  text: string;
  comment: string;
  range: Range;
}

/** What may stand where one types. */
export interface Completion {
  name: string;
  /** With its type, or its operands. */
  text: string;
  sort: "method" | "function" | "field" | "variable" | "class" | "interface" | "keyword" | "constructor" | "type" | "label" | "constant" | "operator";
  /** What an instruction of IR or ABC does. */
  comment: string;
  /** What it takes the place of, in IR and ABC; elsewhere that is the word at the place. */
  range?: Range;
}

/** A place in one of the files. */
export interface Place {
  file: string;
  range: Range;
}

/** The kinds of the protocol. */
const SORTS: Record<number, Completion["sort"]> = {
  2: "method", 3: "function", 4: "constructor", 5: "field", 6: "variable", 7: "class", 8: "interface", 14: "keyword", 18: "label", 20: "constructor",
  21: "constant", 24: "operator", 25: "type",
};

/** Sends a question with the name of its method, and returns the answer as JSON. */
export type Send = (question: string) => unknown;

const addressOf = (file: string) => `file:///${file.split("/").map(encodeURIComponent).join("/")}`;
const fileOf = (address: string) => decodeURIComponent(address.replace(/^file:\/\/\//, ""));

function question(send: Send, name: string, file: string, position?: Position): unknown {
  return send(JSON.stringify({ method: `textDocument/${name}`, params: { textDocument: { uri: addressOf(file) }, position } }));
}

export function hover(send: Send, file: string, position: Position): Hover | undefined {
  const answer = question(send, "hover", file, position) as { contents: { value: string }; range: Range } | null;
  const parts = answer && /^```\w*\n([^]*?)\n```(?:\n\n([^]*))?$/.exec(answer.contents.value);
  return parts ? { text: parts[1]!, comment: parts[2] ?? "", range: answer.range } : undefined;
}

export function completions(send: Send, file: string, position: Position): Completion[] {
  const answer = question(send, "completion", file, position) as
    { label: string; kind: number; detail: string; documentation?: string; textEdit?: { range: Range } }[] | null;
  return (answer ?? []).map(({ label, kind, detail, documentation, textEdit }) =>
    ({ name: label, text: detail, sort: SORTS[kind] ?? "variable", comment: documentation ?? "", ...(textEdit && { range: textEdit.range }) }));
}

export function definition(send: Send, file: string, position: Position): Place | undefined {
  const answer = question(send, "definition", file, position) as { uri: string; range: Range } | null;
  return answer ? { file: fileOf(answer.uri), range: answer.range } : undefined;
}

/** The file in its form; nothing if it cannot be read, or if its language has no form. */
export function formatted(send: Send, file: string, text: string): string | undefined {
  const edits = question(send, "formatting", file) as { range: Range; newText: string }[] | null;
  if (!edits) return undefined;
  const lines = lineStarts(text);
  const offset = ({ line, character }: Position) => (lines[line] ?? text.length) + character;
  // No edits overlap, so each piece of the old text that none of them replaces stays as it is.
  let result = "";
  let kept = 0;
  for (const { range, newText } of edits.sort((a, b) => offset(a.range.start) - offset(b.range.start))) {
    result += text.slice(kept, offset(range.start)) + newText;
    kept = offset(range.end);
  }
  return result + text.slice(kept);
}

/** Where each line begins, in units of UTF-16. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  return starts;
}
