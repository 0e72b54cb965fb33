// Runs a WebAssembly command under node's WASI and reports the times of its phases on stderr.
// The program runs in a worker, because only a worker can be given a large stack.
import { readFileSync, writeSync } from 'node:fs';
import { WASI } from 'node:wasi';
import { Worker, isMainThread, workerData } from 'node:worker_threads';

if (isMainThread) {
  const [file, ...words] = process.argv.slice(2);
  const resourceLimits = { stackSizeMb: 200 };
  const worker = new Worker(new URL(import.meta.url), { workerData: { file, words }, resourceLimits });
  worker.on('error', (error) => {
    writeSync(2, `${error.stack}\n`);
    process.exit(1);
  });
  worker.on('exit', (status) => process.exit(status));
} else {
  const seconds = () => performance.now() / 1000;
  const begin = seconds();
  const module = new WebAssembly.Module(readFileSync(workerData.file));
  const compiled = seconds();
  const wasi = new WASI({
    version: 'preview1',
    args: ['program', ...workerData.words],
    env: process.env,
    preopens: { '/': '/' },
    returnOnExit: true,
  });
  // Wrapped in functions of JavaScript: node 20 frees live objects when a collection of V8 falls into a call of its
  // own.
  const wrap = ([name, call]) => [name, (...args) => call(...args)];
  const imports = { wasi_snapshot_preview1: Object.fromEntries(Object.entries(wasi.wasiImport).map(wrap)) };
  const instance = new WebAssembly.Instance(module, imports);
  const instantiated = seconds();
  const cpu = process.cpuUsage();
  const status = wasi.start(instance);
  const end = seconds();
  const used = process.cpuUsage(cpu);
  const words = { engine_s: compiled - begin, instantiate_s: instantiated - compiled, run_s: end - instantiated };
  words.run_cpu_s = (used.user + used.system) / 1e6;
  if (instance.exports.rt_statistics) {
    const at = instance.exports.rt_statistics() >>> 0;
    const [collections, allocated, , gcNs] = new BigUint64Array(instance.exports.memory.buffer.slice(at, at + 32));
    Object.assign(words, { gc_s: Number(gcNs) / 1e9, collections, allocated_bytes: allocated });
  }
  const line = Object.entries(words).map(([name, value]) => `${name}=${value}`).join(' ');
  writeSync(2, `cleave-bench: ${line}\n`);
  process.exitCode = status;
}
