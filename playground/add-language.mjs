// Adds a language to a page that is built: its front end, what it is called, and its examples.
//
//   node playground/add-language.mjs PAGE language.json FRONT-END.wasm
//
// The front end is a program for WASI (Rust's target wasm32-wasip1). `NAME ir FILE --memory gc --message-format json`
// writes the IR of a file to standard output, messages to standard error, and ends with a status other than 0 if there
// is none. Messages are lines of JSON as those of `cleave --message-format=json`, or just text. `language.json` says
//
//   name, ending     what the language is called, and how its files end
//   about            a sentence for the list of examples
//   keywords, line, block    for the colours: words, how a comment of one line begins, how others begin and end
//   examples         [{ "file": "queens.my", "line": "What it shows." }, …], beside the file

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const change = (file, work) => {
  const before = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : [];
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(work(before)));
};

const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** What to look at in any program of a language. */
const walkthrough = (name, line) => {
  const button = (act, text) => `<button type="button" data-do="${act}">${text}</button>`;
  return `<p>${escaped(line)}</p><ul><li>${button("run", "Run it")}.</li><li>${button("stages:source,build", `The IR that the front end of ${escaped(name)} makes`)}
of it; ${button("stages:build,ir", "what the compiler makes")} of that, and ${button("stages:ir,wat", "the WebAssembly")}.</li></ul>`;
};

/** Adds one, in place of one with the same ending. */
export function addLanguage(page, description, wasm) {
  const { examples = [], ...language } = JSON.parse(fs.readFileSync(description, "utf8"));
  const { name, ending, about } = language;
  if (![name, ending, about].every((text) => typeof text === "string" && text !== "") || !/^\w+$/.test(ending)) {
    throw new Error(`${description}: a language has a name, an ending of letters, and a sentence \`about\` it`);
  }
  if (!fs.existsSync(path.join(page, "examples/index.json"))) throw new Error(`${page} is no page: build it with playground/build.sh`);
  const bytes = fs.readFileSync(wasm);
  WebAssembly.Module.exports(new WebAssembly.Module(bytes));
  change(path.join(page, "languages/index.json"), (all) => [...all.filter((one) => one.ending !== ending), language]);
  fs.writeFileSync(path.join(page, `languages/${ending}.wasm.gz`), gzipSync(bytes, { level: 9 }));
  const found = examples.map(({ file, line }) => ({ path: `${ending}/${path.parse(file).name}`, group: name, name: path.parse(file).name, line, about, file }));
  change(path.join(page, "examples/index.json"), (all) => [
    ...all.filter((one) => !one.path.startsWith(`${ending}/`)),
    ...found.map(({ file, ...entry }) => entry),
  ]);
  for (const { path: place, file, line } of found) {
    const main = path.basename(file), text = fs.readFileSync(path.join(path.dirname(description), file), "utf8");
    const json = path.join(page, `examples/${place}.json`);
    fs.mkdirSync(path.dirname(json), { recursive: true });
    fs.writeFileSync(json, JSON.stringify({ flags: "", input: "", args: "", main, files: { [main]: text }, walkthrough: walkthrough(name, line) }));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [page, description, wasm] = process.argv.slice(2);
  if (!wasm) {
    console.error("usage: node playground/add-language.mjs PAGE language.json FRONT-END.wasm");
    process.exit(2);
  }
  try {
    addLanguage(page, description, wasm);
  } catch (error) {
    console.error(`add-language: ${error.message}`);
    process.exit(1);
  }
}
