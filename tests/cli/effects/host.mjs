// Runs a program whose import `callback` calls its export `asking`.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: [], env: {} });
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const env = { callback: (n) => instance.exports.asking(n) };
const instance = await WebAssembly.instantiate(module, { ...wasi.getImportObject(), env });
process.exitCode = wasi.start(instance);
