// Runs a WASI program under node: `node --no-warnings run.mjs FILE.wasm`. Stdin, stdout and stderr are ours.
//
// The imports are wrapped in functions of JavaScript on purpose. Node 20 calls its own WASI functions from compiled
// code without a frame that V8's collector can walk; when a collection falls into such a call, live objects are freed
// and the process aborts. That is likely as soon as a memory has 64 MB: small programs of ours stay below.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const wasi = new WASI({
  version: "preview1",
  args: ["program", ...process.argv.slice(3)],
  env: process.env,
  preopens: { ".": "." },
  returnOnExit: true,
});
const wrap = ([name, call]) => [name, (...args) => call(...args)];
const imports = { wasi_snapshot_preview1: Object.fromEntries(Object.entries(wasi.wasiImport).map(wrap)) };
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
process.exitCode = wasi.start(new WebAssembly.Instance(module, imports));
