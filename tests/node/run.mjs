// Runs a WASI program under node: `node --no-warnings run.mjs FILE.wasm`. Stdin, stdout and stderr are ours.
//
// The program runs in a worker with a stack of its own size: recursion in compiled Clean programs is as deep as their
// data is long, and node's usual stack is less than a megabyte.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";
import { Worker, isMainThread, workerData } from "node:worker_threads";
import { fileURLToPath } from "node:url";

// V8 keeps its own limit for a stack that it did not make; both are set from this number.
const STACK_MEGABYTES = 900;

if (isMainThread) {
  const resourceLimits = { stackSizeMb: STACK_MEGABYTES };
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: process.argv[2], resourceLimits });
  worker.on("message", (status) => (process.exitCode = status));
  worker.on("error", (error) => {
    console.error(error);
    process.exitCode = 101;
  });
} else {
  const { parentPort } = await import("node:worker_threads");
  const wasi = new WASI({ version: "preview1", args: ["program"], env: {}, preopens: { ".": "." }, returnOnExit: true });
  const module = new WebAssembly.Module(readFileSync(workerData));
  const instance = new WebAssembly.Instance(module, wasi.getImportObject());
  parentPort.postMessage(wasi.start(instance));
}
