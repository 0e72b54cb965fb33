// Runs programs of WebAssembly modules for the differential tests, one order per line of stdin:
//   load FILE ADDRESS    compiles a module, which holds the number of its program at this address: `ready`
//   run NUMBER OPTIONS   runs a program: how it ended, the lengths of its stdout and stderr, a line feed, these bytes
// Only a worker can be given a large stack.
import { readFileSync, readSync, writeSync } from 'node:fs';
import { Worker, isMainThread, workerData } from 'node:worker_threads';

const BAD_FILE = 8;
/** Runs after which the memories of their instances are given back. */
const ROUND = 512;

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: process.argv[2],
    resourceLimits: { stackSizeMb: 64 },
  });
  worker.on('error', (error) => {
    writeSync(2, `${error.stack}\n`);
    process.exit(1);
  });
} else {
  const input = Buffer.from(workerData);
  let module = null;
  let choice = 0;
  let runs = 0;
  let pending = '';
  const chunk = Buffer.alloc(4096);
  const answer = (head, ...rest) => {
    const bytes = Buffer.concat([Buffer.from(`${head}\n`), ...rest]);
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
  };
  for (;;) {
    const end = pending.indexOf('\n');
    if (end < 0) {
      const length = readSync(0, chunk);
      if (length === 0) break;
      pending += chunk.toString('latin1', 0, length);
      continue;
    }
    const [order, first, ...rest] = pending.slice(0, end).split(' ');
    pending = pending.slice(end + 1);
    if (order === 'load') {
      module = new WebAssembly.Module(readFileSync(first));
      choice = Number(rest[0]);
      answer('ready');
    } else {
      const world = { stdout: [], stderr: [], read: 0, status: null };
      const ended = run(world, Number(first), rest.join(' '));
      const [stdout, stderr] = [Buffer.concat(world.stdout), Buffer.concat(world.stderr)];
      answer(`${stdout.length} ${stderr.length} ${ended}`, stdout, stderr);
      runs += 1;
      if (runs % ROUND === 0) globalThis.gc();
    }
  }

  function run(world, number, options) {
    let instance = null;
    const view = () => new DataView(instance.exports.memory.buffer);
    const bytes = (start, length) => new Uint8Array(instance.exports.memory.buffer, start >>> 0, length >>> 0);
    const pieces = (list, count, total, copy) => {
      let done = 0;
      for (let piece = 0; piece < count; piece += 1) {
        const at = (list >>> 0) + 8 * piece;
        done += copy(bytes(view().getUint32(at, true), view().getUint32(at + 4, true)));
      }
      view().setUint32(total >>> 0, done, true);
      return 0;
    };
    const sizes = (countAt, bytesAt, count, length) => {
      view().setUint32(countAt >>> 0, count, true);
      view().setUint32(bytesAt >>> 0, length, true);
      return 0;
    };
    const environment = Buffer.from(`CLEAVE_RTS=${options}\0`);
    const exit = new Error('exit');
    const wasi = {
      fd_write: (file, list, count, total) =>
        pieces(list, count, total, (piece) => {
          (file === 2 ? world.stderr : world.stdout).push(Buffer.from(piece));
          return piece.length;
        }),
      fd_read: (file, list, count, total) =>
        pieces(list, count, total, (piece) => {
          const part = input.subarray(world.read, world.read + piece.length);
          piece.set(part);
          world.read += part.length;
          return part.length;
        }),
      proc_exit: (status) => {
        world.status = status;
        throw exit;
      },
      args_sizes_get: (count, length) => sizes(count, length, 0, 0),
      args_get: () => 0,
      environ_sizes_get: (count, length) => sizes(count, length, 1, environment.length),
      environ_get: (table, at) => {
        view().setUint32(table >>> 0, at, true);
        bytes(at, environment.length).set(environment);
        return 0;
      },
      clock_time_get: (clock, precision, time) => {
        view().setBigUint64(time >>> 0, 0n, true);
        return 0;
      },
    };
    const refused = () => BAD_FILE;
    const imports = Object.fromEntries(
      WebAssembly.Module.imports(module).map(({ name }) => [name, wasi[name] ?? refused]),
    );
    try {
      instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
      view().setBigUint64(choice, BigInt(number), true);
      instance.exports._start();
      return 'status 0';
    } catch (error) {
      if (world.status !== null) return `status ${world.status}`;
      try {
        // What was printed before.
        instance?.exports.rt_flush();
      } catch (second) {
        return `broken ${second}`;
      }
      if (error instanceof RangeError) return 'stack';
      if (error instanceof WebAssembly.RuntimeError && /divide by zero|remainder by zero/.test(error.message)) return 'zero';
      if (error instanceof WebAssembly.RuntimeError && /unrepresentable/.test(error.message)) return 'overflow';
      return `broken ${error}`.replaceAll('\n', ' ');
    }
  }
}
