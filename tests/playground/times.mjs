// How long the package takes, as docs/playground.md tells it: node times.mjs PACKAGE [MAIN.abc FOLDER…], where
// folders have the .abc files that the main module imports, as StdEnv. Times of the processor, so that other work on
// the machine counts less; the least and the middle one of several.

import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { pathToFileURL } from "node:url";

const [where, main, ...folders] = process.argv.slice(2);
const { load } = await import(pathToFileURL(path.resolve(where, "index.js")));
const bytes = fs.readFileSync(path.join(where, "cleave.wasm"));
console.log(`compiler: ${(bytes.length / 1e6).toFixed(2)} MB, compressed ${(gzipSync(bytes, { level: 9 }).length / 1e6).toFixed(2)} MB`);

const show = (name, times) => {
  const sorted = [...times].sort((a, b) => a - b);
  console.log(`${name}: least ${sorted[0].toFixed(1)} ms, middle ${sorted[sorted.length >> 1].toFixed(1)} ms of ${times.length}`);
};

const begin = performance.now();
const compiler = await load(bytes);
console.log(`load: ${(performance.now() - begin).toFixed(0)} ms`);

function measure(name, files, options, rounds) {
  const clocks = [];
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now();
    const result = compiler.compile(files, options);
    clocks.push(performance.now() - begin);
    if (!result.ok) throw new Error(`${name}: ${result.diagnostics[0]?.rendered ?? result.log}`);
  }
  show(`${name}, the first dozen calls`, clocks.slice(0, 12));
  if (rounds > 12) show(`${name}, the others`, clocks.slice(12));
}

const fib = "Int: Int\nfib n = match n < 2 {\n    True: n,\n    False: fib(n - 1) + fib(n - 2)\n};\n\n(): Int\nmain = fib 20;\n";
measure("GOOPEA's fib", { "main.goo": fib }, { main: "main.goo" }, 60);
if (main) {
  const files = { [path.basename(main)]: fs.readFileSync(main, "utf8") };
  for (const folder of folders) {
    for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".abc"))) files[`library/${name}`] = fs.readFileSync(path.join(folder, name), "utf8");
  }
  measure(path.basename(main), files, { main: path.basename(main), flags: ["-L", "library"] }, 40);
}
