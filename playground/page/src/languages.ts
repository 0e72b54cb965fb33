// Colours for the languages: one tokenizer per language, by regular expressions at the place in the line.

import { StreamLanguage, syntaxHighlighting, type StringStream } from "@codemirror/language";
import type { Language } from "./front-ends.js";
import { classHighlighter, tagHighlighter, tags } from "@lezer/highlight";

/** Tries patterns in their order; a state is the name of what spans lines, or empty. */
interface Rules {
  patterns: [RegExp, string | ((text: string) => string)][];
  comment?: { open: string; close: string; nested?: boolean };
  line?: string;
}

function language(name: string, rules: Rules): StreamLanguage<{ depth: number }> {
  const patterns = rules.patterns.map(([pattern, tag]) => [new RegExp(pattern.source, "y"), tag] as const);
  const skip = (stream: StringStream, state: { depth: number }): string => {
    const { open, close, nested } = rules.comment!;
    while (!stream.eol()) {
      if (stream.match(close)) {
        if (--state.depth === 0) break;
      } else if (nested && stream.match(open)) state.depth++;
      else stream.next();
    }
    return "comment";
  };
  return StreamLanguage.define({
    name,
    startState: () => ({ depth: 0 }),
    copyState: (state) => ({ ...state }),
    token(stream, state) {
      if (state.depth > 0) return skip(stream, state);
      if (stream.eatSpace()) return null;
      if (rules.comment && stream.match(rules.comment.open)) {
        state.depth = 1;
        return skip(stream, state);
      }
      for (const [pattern, tag] of patterns) {
        pattern.lastIndex = stream.pos;
        const found = pattern.exec(stream.string);
        if (!found || found[0].length === 0) continue;
        stream.pos += found[0].length;
        return typeof tag === "string" ? tag : tag(found[0]) || null;
      }
      stream.next();
      return null;
    },
    languageData: {
      commentTokens: { line: rules.line, block: rules.comment && { open: rules.comment.open, close: rules.comment.close } },
      closeBrackets: { brackets: ["(", "[", "{", '"'] },
    },
  });
}

const among = (list: string, tag: string, otherwise = "variableName") => {
  const known = new Set(list.split(" "));
  return (text: string) => (known.has(text) ? tag : otherwise);
};

const KEYWORDS: Record<string, string> = {
  goo: "fip match enum let in",
  sam: "import from class interface private function method val let as if then else match true false this unit bool int string",
  icl: "module definition implementation system import from let in where with case of if otherwise infixl infixr infix class instance special generic derive dynamic code True False",
  ir: "module func start desc thunk_info heap extern phase gc rc br_if jump switch ret call call_rt call_indirect tail_call unreachable rooted low high",
};

const GOO = language("goopea", {
  line: "//",
  patterns: [
    [/\/\/.*/, "comment"],
    [/#include\b.*/, "meta"],
    [/\d+/, "number"],
    [/[A-Z]\w*/, among("Int Bool", "typeName", "className")],
    [/_*[a-z]\w*(?=\s*\()/, among(KEYWORDS.goo!, "keyword", "variableName.function")],
    [/\w+/, among(KEYWORDS.goo!, "keyword")],
    [/[-+*/%<>=!]+/, "operator"],
    [/[(){},;:]/, "punctuation"],
  ],
});

const SAM = language("samlang", {
  line: "//",
  comment: { open: "/*", close: "*/" },
  patterns: [
    [/\/\/.*/, "comment"],
    [/"(?:[^"\\]|\\.)*"?/, "string"],
    [/\d+/, "number"],
    [/[A-Z]\w*/, "className"],
    [/[a-z_]\w*(?=\s*\()/, among(KEYWORDS.sam!, "keyword", "variableName.function")],
    [/\w+/, among(KEYWORDS.sam!, "keyword")],
    [/->|[-+*/%<>=!&|:]+/, "operator"],
    [/[(){},;.]/, "punctuation"],
  ],
});

const CLEAN = language("clean", {
  line: "//",
  comment: { open: "/*", close: "*/", nested: true },
  patterns: [
    [/\/\/.*/, "comment"],
    [/"(?:[^"\\]|\\.)*"?/, "string"],
    [/'(?:[^'\\]|\\.)+'/, "string"],
    [/\d[\d.]*(?:E[-+]?\d+)?/, "number"],
    [/[A-Z][\w`]*/, among(KEYWORDS.icl!, "keyword", "className")],
    [/[\w`]+/, among(KEYWORDS.icl!, "keyword")],
    [/[-+*/%<>=!&|:.^#\\@~?$]+/, "operator"],
    [/[(){}[\],;]/, "punctuation"],
  ],
});

const IR = language("cleave-ir", {
  line: ";",
  patterns: [
    [/;.*/, "comment"],
    [/"(?:[^"\\]|\\.)*"?/, "string"],
    [/@[\w.$'`<>=!+*/%&|^~?:#-]*/, "variableName.function"],
    [/block\d+/, "labelName"],
    [/v\d+/, "variableName"],
    [/-?(?:0x[\da-f]+|\d[\d.]*(?:e[-+]?\d+)?)/, "number"],
    [/\b(?:i32|i64|f64|ref|i8|i16)\b/, "typeName"],
    [/[a-z_][\w.]*/, among(KEYWORDS.ir!, "keyword", "propertyName")],
    [/->|[-+=!<>&|]+/, "operator"],
    [/[(){}[\],:]/, "punctuation"],
  ],
});

const ABC = language("abc", {
  line: "|",
  patterns: [
    [/\|.*/, "comment"],
    [/"(?:[^"\\]|\\.)*"?/, "string"],
    [/^\.\w+/, "meta"],
    [/^[^\s|]+/, "labelName"],
    [/\.\w+/, "meta"],
    [/[-+]?\d+(?=\s|$)/, "number"],
    [/\b(?:e_[^\s]*|s\d*\b|n\d*\b|ea\d*\b)/, "variableName"],
    [/[a-zA-Z_][\w]*/, (text) => (/^[a-z][a-zA-Z_]*$/.test(text) ? "keyword" : "variableName")],
  ],
});

const WAT = language("wat", {
  line: ";;",
  comment: { open: "(;", close: ";)", nested: true },
  patterns: [
    [/;;.*/, "comment"],
    [/"(?:[^"\\]|\\.)*"?/, "string"],
    [/\$[^\s()]+/, "variableName"],
    [/-?(?:0x[\da-f]+|\d[\d.]*)/, "number"],
    [/\b(?:i32|i64|f64|funcref|externref)\b(?!\.)/, "typeName"],
    [/\b(?:module|func|param|result|local|type|import|export|memory|table|global|elem|data|block|loop|if|then|else|end|mut)\b/, "keyword"],
    [/[a-z][\w.]*/, "propertyName"],
    [/[()]/, "punctuation"],
  ],
});

const TREE = language("typed tree", {
  line: ";",
  patterns: [
    [/;.*/, "comment"],
    [/"(?:[^"\\]|\\.)*"?/, "string"],
    [/-?\d+/, "number"],
    [/(?:type|fip|closure|let|match|close|apply|go|never)\b(?!\.)/, "keyword"],
    [/[A-Z][\w.<>]*/, "className"],
    [/[\w.<>$]+(?=\()/, "variableName.function"],
    [/[\w.]+/, "variableName"],
    [/=>|[-+*/%<>=!|]+/, "operator"],
    [/[(){}[\],:]/, "punctuation"],
  ],
});

const BY_ENDING: Record<string, StreamLanguage<{ depth: number }>> = {
  goo: GOO, sam: SAM, icl: CLEAN, dcl: CLEAN, ir: IR, abc: ABC, wat: WAT, tree: TREE,
};

export const endingOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

const functions = tagHighlighter([{ tag: tags.function(tags.variableName), class: "tok-function" }]);

export const highlighters = [classHighlighter, functions];

/** The language of a file, and how it is coloured. */
export function languageOf(name: string) {
  return [BY_ENDING[endingOf(name)] ?? [], ...highlighters.map((one) => syntaxHighlighting(one))];
}

/** What reads a file for its colours. */
export const parserOf = (name: string) => BY_ENDING[endingOf(name)]?.parser;

/** Words that a language has, for completion. */
export const keywordsOf = (name: string): string[] => (KEYWORDS[endingOf(name)] ?? "").split(" ").filter(Boolean);

/** `cleave fmt` knows it. */
export const hasForm = (name: string): boolean => ["goo", "sam"].includes(endingOf(name));

const TITLES: Record<string, string> = { goo: "GOOPEA", sam: "samlang", icl: "Clean", dcl: "Clean", abc: "Clean (ABC)", ir: "IR" };

/** What a language is called. */
export const titleOf = (name: string): string => TITLES[endingOf(name)] ?? "text";

const quoted = (text: string): string => text.replace(/[^\w\s]/g, "\\$&");

/** A language beside the page: its words, and how it writes comments. */
export function addLanguage({ name, ending, keywords = "", line, block }: Language): void {
  TITLES[ending] = name;
  KEYWORDS[ending] = keywords;
  BY_ENDING[ending] = language(name, {
    ...(line && { line }),
    ...(block && { comment: { open: block[0], close: block[1] } }),
    patterns: [
      ...(line ? [[new RegExp(`${quoted(line)}.*`), "comment"] as [RegExp, string]] : []),
      [/"(?:[^"\\]|\\.)*"?/, "string"],
      [/\d[\d.]*/, "number"],
      [/[A-Z][\w']*/, "className"],
      // As wide as the words of any of them, those of a Scheme.
      [/[a-z_%][\w'?!-]*/, among(keywords, "keyword")],
      [/[-+*/%<>=!|&:^@~]+/, "operator"],
      [/[(){}[\],;.]/, "punctuation"],
    ],
  });
}
