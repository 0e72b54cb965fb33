// The page: its scripts, the examples of the project as projects, and the documents as HTML.

import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { marked } from "marked";

const here = import.meta.dirname;
const root = path.dirname(here);
const read = (...parts) => fs.readFileSync(path.join(...parts), "utf8");

/** Programs of Clean's corpus that show something, with their Clean source beside the ABC. */
const CLEAN = ["lazylists", "fibs", "life", "nqueens", "knots", "rbtree", "monads", "mandel", "bigint", "exprinterp"];

/** The first comment of a program without what it prints: what it is about. */
const commentOf = (text) => {
  const lines = [];
  for (const line of text.split("\n")) {
    const comment = /^\s*(?:\/\/|;)\s?(.*)/.exec(line);
    if (!comment) break;
    if (!comment[1].startsWith("prints ")) lines.push(comment[1]);
  }
  return lines.join(" ");
};
const titleOf = (name, text) => {
  const sentence = commentOf(text).split(/[.:;](?:\s|$)/)[0];
  return sentence ? `${name} · ${sentence.length > 60 ? `${sentence.slice(0, 57)}…` : sentence}` : name;
};

/** Files that are named in lines `#include`, and those that they name. */
const included = (folder, name, found = {}) => {
  for (const [, inner] of read(folder, name).matchAll(/^#include\s+(\S+)/gm)) {
    const file = path.posix.join(path.posix.dirname(name), inner);
    if (file in found) continue;
    found[file] = read(folder, file);
    included(folder, file, found);
  }
  return found;
};

/** Where the programs of each language are, and which come first. */
const GROUPS = [
  { group: "GOOPEA", folder: "examples/goopea", ending: ".goo", first: ["first", "list", "patterns", "tree", "queue", "sort"] },
  { group: "samlang", folder: "examples/samlang", ending: ".sam", first: [] },
  { group: "samlang", folder: "playground/page/examples", ending: ".sam", first: [] },
  { group: "IR", folder: "playground/page/examples", ending: ".ir", first: ["sum"] },
];

function examples(out) {
  const index = [];
  const add = (group, path_, title, project) => {
    index.push({ path: path_, group, title });
    const file = path.join(out, `${path_}.json`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify({ flags: "", input: "", args: "", ...project }));
  };
  for (const { group, folder, ending, first } of GROUPS) {
    const place = path.join(root, folder);
    if (!fs.existsSync(place)) continue;
    const names = fs.readdirSync(place).filter((name) => name.endsWith(ending)).map((name) => path.parse(name).name).sort();
    const rank = (name) => (first.includes(name) ? first.indexOf(name) : first.length);
    for (const name of names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))) {
      const main = name + ending;
      const text = read(place, main);
      const files = { [main]: text, ...(ending === ".goo" ? included(place, main) : {}) };
      add(group, `${ending.slice(1)}/${name}`, titleOf(name, text), { main, files });
    }
  }
  const corpus = path.join(root, "tests/corpus");
  for (const name of CLEAN) {
    const source = read(corpus, `${name}.icl`);
    const files = { [`${name}.icl`]: source, [`${name}.abc`]: read(corpus, `${name}.abc`) };
    add("Clean", `clean/${name}`, titleOf(name, source), { main: `${name}.abc`, files });
  }
  fs.writeFileSync(path.join(out, "index.json"), JSON.stringify(index));
}

/** The documents that a visitor may want, in their order. */
const DOCUMENTS = ["goopea", "samlang", "ir", "passes", "memory", "roots", "clean", "abc", "your-language"];

function documents(out) {
  fs.mkdirSync(out, { recursive: true });
  const index = [];
  const renderer = {
    heading({ tokens, depth, text }) {
      const id = text.toLowerCase().replace(/[^\w\s-]/g, "").trim().replace(/\s/g, "-");
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    image: ({ href, text }) => `<img src="docs/${href}" alt="${text}" loading="lazy">`,
  };
  marked.use({ renderer });
  for (const name of DOCUMENTS) {
    const file = path.join(root, "docs", `${name}.md`);
    if (!fs.existsSync(file)) continue;
    const text = fs.readFileSync(file, "utf8");
    index.push({ path: name, title: /^# (.*)/m.exec(text)?.[1] ?? name });
    fs.writeFileSync(path.join(out, `${name}.html`), marked.parse(text));
    for (const [, image] of text.matchAll(/\]\(([\w-]+\.svg)\)/g)) fs.copyFileSync(path.join(root, "docs", image), path.join(out, image));
  }
  fs.writeFileSync(path.join(out, "index.json"), JSON.stringify(index));
}

/** Writes the page into a folder. */
export async function buildPage(out, options) {
  const page = path.join(here, "page");
  const entry = (name) => path.join(page, "src", `${name}.ts`);
  await build({ ...options, entryPoints: ["main", "compiler.worker", "clean.worker", "run.worker", "debug.worker"].map(entry), outdir: out });
  for (const name of ["index.html", "theme.js", "style.css", "icon.svg"]) fs.copyFileSync(path.join(page, name), path.join(out, name));
  examples(path.join(out, "examples"));
  documents(path.join(out, "docs"));
}
