// Compiles programs with the compiler in WebAssembly: node compile.mjs PACKAGE PLAN, where the plan is a JSON list of
// {main, folder, out}. All modules beside a main module are given to the compiler. Programs and loaders go to `out`.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [where, plan] = process.argv.slice(2);
const { load } = await import(pathToFileURL(path.join(where, "index.js")));
const compiler = await load(fs.readFileSync(path.join(where, "cleave.wasm")));
let failed = 0;
for (const { main, folder, out } of JSON.parse(fs.readFileSync(plan, "utf8"))) {
  const files = {};
  const add = (inner) => {
    for (const entry of fs.readdirSync(path.join(folder, inner), { withFileTypes: true })) {
      const name = path.posix.join(inner, entry.name);
      if (entry.isDirectory()) add(name);
      else if (path.extname(name) === path.extname(main)) files[name] = fs.readFileSync(path.join(folder, name));
    }
  };
  add("");
  const result = compiler.compile(files, { main });
  if (!result.wasm || result.diagnostics.some(({ level }) => level === "error")) {
    failed++;
    console.error(`${main}: status ${result.status}`, result.diagnostics, result.log);
    continue;
  }
  fs.writeFileSync(out + ".wasm", result.wasm);
  fs.writeFileSync(out + ".mjs", result.mjs);
}
process.exit(failed ? 1 : 0);
