// The page: its scripts, the examples of the project as projects, and the documents as HTML.

import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { Marked, marked } from "marked";

const here = import.meta.dirname;
const root = path.dirname(here);
const read = (...parts) => fs.readFileSync(path.join(...parts), "utf8");

/** Lists of examples with a line for each, in the order of the page. */
const LISTS = ["examples/goopea", "examples/samlang", "playground/page/examples"];
const GROUPS = { ".goo": "GOOPEA", ".sam": "samlang", ".icl": "Clean", ".ir": "IR" };

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

/** The programs that a list names, and what it says of them; those of the folder that it does not name are an error. */
function listed(folder) {
  const place = path.join(root, folder);
  const entries = [...read(place, "README.md").matchAll(/^- \[([\w-]+)\]\(([^)]+)\): (.+)$/gm)].map(([, name, file, line]) => ({ name, file: path.join(place, file), line }));
  for (const name of fs.readdirSync(place)) {
    if (path.extname(name) in GROUPS && !entries.some(({ file }) => file === path.join(place, name))) {
      throw new Error(`${folder}/README.md says nothing about ${name}: it needs a line \`- [${path.parse(name).name}](${name}): what it shows.\``);
    }
  }
  return entries;
}

/** The files of a program, the main one, and its language. */
function projectOf(file) {
  const { dir, name, ext, base } = path.parse(file);
  const text = read(file);
  const files = { [base]: text, ...(ext === ".goo" ? included(dir, base) : {}) };
  if (ext !== ".icl") return { main: base, files };
  return { main: `${name}.abc`, files: { ...files, [`${name}.abc`]: read(dir, `${name}.abc`) } };
}

/** What to look at in the examples, as HTML: links to `do:` become buttons. */
function walkthroughs() {
  const renderer = {
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return href.startsWith("do:") ? `<button type="button" data-do="${href.slice(3)}">${text}</button>` : `<a href="${href}">${text}</a>`;
    },
  };
  const [, ...sections] = read(here, "page/walkthroughs.txt").split(/^## /m);
  const rendered = new Marked({ renderer });
  return new Map(sections.map((section) => {
    const end = section.indexOf("\n");
    return [section.slice(0, end).trim(), rendered.parse(section.slice(end))];
  }));
}

function examples(out) {
  const index = [];
  const texts = walkthroughs();
  for (const folder of LISTS) {
    for (const { name, file, line } of listed(folder)) {
      const group = GROUPS[path.extname(file)];
      const place = `${group === "Clean" ? "clean" : path.extname(file).slice(1)}/${name}`;
      index.push({ path: place, group, name, line });
      const json = path.join(out, `${place}.json`);
      fs.mkdirSync(path.dirname(json), { recursive: true });
      fs.writeFileSync(json, JSON.stringify({ flags: "", input: "", args: "", ...projectOf(file), walkthrough: texts.get(place) ?? "" }));
      texts.delete(place);
    }
  }
  if (texts.size > 0) throw new Error(`page/walkthroughs.txt has texts for examples that do not exist: ${[...texts.keys()].join(", ")}`);
  const order = Object.values(GROUPS);
  index.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
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
  await build({ ...options, entryPoints: ["main", "compiler.worker", "clean.worker", "front-end.worker", "run.worker", "debug.worker"].map(entry), outdir: out });
  for (const name of ["index.html", "theme.js", "style.css", "icon.svg"]) fs.copyFileSync(path.join(page, name), path.join(out, name));
  examples(path.join(out, "examples"));
  documents(path.join(out, "docs"));
}
