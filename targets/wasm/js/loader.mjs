//! The loader that is written beside a program: `run` for other modules, and the program itself under node.
//!
//! A template: `js.rs` fills in the names in double braces and leaves out whole lines of comments, so comments cost
//! nothing. The program runs in a Worker (this module again) wherever there is one, for its stack and so that streams
//! can be awaited while it waits; otherwise where it was called. Imports of WASI are ours, not node's: node 20 calls its
//! own in a way that a garbage collection cannot walk, and aborts. Those that a program of ours never calls answer
//! ENOSYS. Addresses come as signed numbers.
//!
//! ```text
//! run ──{module, args, …}──▶ perform (in the Worker) ──▶ WASI imports ──▶ files in memory, or of node
//!     ◀──{bytes, fd}, {read}, {status, files}──          with shared memory the Worker waits for each answer
//! ```

const PROGRAM = "{{NAME}}", WASM = "{{WASM}}", TRACE = {{TRACE}};
const TAG = "cleave:" + PROGRAM;
const host = globalThis.process?.versions?.node ? globalThis.process : undefined;
const node = host && Object.fromEntries(await Promise.all(
  ["fs", "url", "worker_threads"].map(async (name) => [name, await import("node:" + name)])));
const bytesOf = (data) => typeof data == "string" ? new TextEncoder().encode(data)
  : ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
const textOf = (bytes) => new TextDecoder().decode(bytes);
const joined = (chunks) => {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) all.set(chunk, at), at += chunk.length;
  return all;
};

// The end of a program, thrown by `proc_exit`. The trace needs its stack.
class Exit extends Error {
  constructor(status) {
    super();
    this.status = status;
  }
}

// Errors of files, by node's names.
const ERRORS = { EACCES: 2, EAGAIN: 6, EBADF: 8, EEXIST: 20, EINVAL: 28, EISDIR: 31, EMFILE: 33, ENOENT: 44,
  ENOSPC: 51, ENOTDIR: 54, ENOTEMPTY: 55, EPERM: 63, EROFS: 69, ESPIPE: 70 };
const fail = (code) => { throw Object.assign(new Error(code), { code }); };

// Files in memory: normal names, and what `open` needs. A file that is not there is undefined.
const normal = (name) => {
  const parts = [];
  for (const part of name.split("/"))
    if (part == "..") parts.pop();
    else if (part && part != ".") parts.push(part);
  return (name[0] == "/" ? "/" : "") + parts.join("/");
};

function filesInMemory(initial) {
  const files = new Map();
  let number = 0;
  const create = (name, data) => {
    const file = { data, used: data.length, number: ++number, given: name, changed: false };
    files.set(normal(name), file);
    return file;
  };
  for (const [name, data] of initial) create(name, data);
  return {
    open(name, creation) {
      name = normal(textOf(name));
      let file = files.get(name);
      if (!file) {
        if (!(creation & 1)) fail("ENOENT");
        file = create(name, new Uint8Array());
        file.changed = true;
      } else if (creation & 4) fail("EEXIST");
      if (creation & 8) file.used = 0, file.changed = true;
      let position = 0;
      return {
        read(to) {
          const part = file.data.subarray(position, Math.min(position + to.length, file.used));
          to.set(part);
          position += part.length;
          return part.length;
        },
        write(from) {
          const end = position + from.length;
          if (end > file.data.length) {
            const data = new Uint8Array(Math.max(end, 2 * file.data.length));
            data.set(file.data.subarray(0, file.used));
            file.data = data;
          }
          if (position > file.used) file.data.fill(0, file.used, position);
          file.data.set(from, position);
          file.used = Math.max(file.used, position = end);
          file.changed = true;
          return from.length;
        },
        seek(offset, whence) {
          const target = [0, position, file.used][whence] + offset;
          return target < 0 ? fail("EINVAL") : position = target;
        },
        stat: () => [file.number, 4, file.used],
      };
    },
    changed: () => Object.fromEntries([...files.values()].filter((file) => file.changed)
      .map((file) => [file.given, file.data.slice(0, file.used)])),
  };
}

// Files of node. Only regular ones have a position, which is ours: node cannot seek.
function fileOfNode(fd) {
  const { fs } = node;
  const stat = fs.fstatSync(fd);
  let position = stat.isFile() && fd > 2 ? 0 : null;
  // A terminal or pipe may be set not to wait.
  const patiently = (action) => {
    for (;;) {
      try {
        const count = action();
        if (position != null) position += count;
        return count;
      } catch (error) {
        if (error.code == "EOF") return 0;
        if (error.code == "EPIPE") throw new Exit(141);
        if (error.code != "EAGAIN") throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
  };
  return {
    read: (to) => patiently(() => fs.readSync(fd, to, 0, to.length, position)),
    write: (from) => patiently(() => fs.writeSync(fd, from, 0, from.length, position)),
    seek(offset, whence) {
      if (position == null) fail("ESPIPE");
      const target = [0, position, whence == 2 && fs.fstatSync(fd).size][whence] + offset;
      return target < 0 ? fail("EINVAL") : position = target;
    },
    stat: () => [stat.ino, stat.isDirectory() ? 3 : stat.isFile() ? 4 : 0, fs.fstatSync(fd).size, stat.dev],
    close: () => fs.closeSync(fd),
  };
}

function openInNode(name, creation, read, write) {
  const { fs } = node, flag = fs.constants;
  return fileOfNode(fs.openSync(Buffer.from(name), (read ? write ? flag.O_RDWR : flag.O_RDONLY : flag.O_WRONLY)
    | (creation & 1 && flag.O_CREAT) | (creation & 4 && flag.O_EXCL) | (creation & 8 && flag.O_TRUNC)));
}

// The imports of WASI over descriptors. An error of a file becomes a number; all others end the program.
function importsOf(module, linear, args, env, files, open) {
  const view = () => new DataView(linear().buffer);
  const bytes = (at, length) => new Uint8Array(linear().buffer, at, length);
  const word = (at, value) => view().setUint32(at, value, true);
  const long = (at, value) => view().setBigUint64(at, BigInt(value), true);
  const file = (fd) => files[fd] ?? fail("EBADF");
  const strings = (list) => {
    const all = list.map((text) => bytesOf(text + "\0"));
    return [
      (count, size) => { word(count, all.length); word(size, joined(all).length); },
      (table, at) => {
        for (const text of all) {
          word(table, at);
          bytes(at, text.length).set(text);
          table += 4;
          at += text.length;
        }
      },
    ];
  };
  const transfer = (method) => (fd, pieces, count, result) => {
    let sum = 0;
    for (; count--; pieces += 8) {
      const length = view().getUint32(pieces + 4, true);
      const done = (file(fd)[method] ?? fail("EBADF"))(bytes(view().getUint32(pieces, true), length));
      sum += done;
      if (done < length) break;
    }
    word(result, sum);
  };
  const [args_sizes_get, args_get] = strings(args);
  const [environ_sizes_get, environ_get] = strings(Object.entries(env).map(([name, value]) => `${name}=${value}`));
  const wasi = {
    args_sizes_get, args_get, environ_sizes_get, environ_get,
    fd_read: transfer("read"),
    fd_write: transfer("write"),
    fd_seek: (fd, offset, whence, result) => long(result, (file(fd).seek ?? fail("ESPIPE"))(Number(offset), whence)),
    fd_close(fd) {
      file(fd).close?.();
      files[fd] = undefined;
    },
    fd_filestat_get(fd, at) {
      const [number, type, size, device = 1] = file(fd).stat?.() ?? [0, 0, 0];
      bytes(at, 64).fill(0);
      long(at, device), long(at + 8, number), long(at + 16, type), long(at + 24, 1), long(at + 32, size);
    },
    fd_prestat_get: (fd, at) => { word(at, 0); word(at + 4, (file(fd).name ?? fail("EBADF")).length); },
    fd_prestat_dir_name: (fd, at) => bytes(at, 1).set(bytesOf(file(fd).name)),
    path_open(fd, _, path, length, creation, rights, __, ___, result) {
      const folder = file(fd).name == "/" ? bytesOf("/") : [];
      const name = joined([folder, bytes(path, length)]);
      const opened = open(name, creation, rights & 2n, rights & 64n);
      let place = 3;
      while (files[place]) place++;
      files[place] = opened;
      word(result, place);
    },
    clock_time_get(clock, _, at) {
      long(at, Math.round((clock ? performance.now() : Date.now()) * 1e6));
    },
    proc_exit: (status) => { throw new Exit(status); },
  };
  const all = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
    if (kind == "function") (all[from] ??= {})[name] = (...values) => {
      if (!wasi[name]) return 52;
      try {
        wasi[name](...values.map((value) => typeof value == "number" ? value >>> 0 : value));
        return 0;
      } catch (error) {
        if (!error.code) throw error;
        return ERRORS[error.code] ?? 29;
      }
    };
  return all;
}

// What the fault of an engine (V8, SpiderMonkey, JavaScriptCore) means to a Clean programmer. The stack for references
// ends at address 0, and nothing else of a program leaves its memory.
function meaning({ message }) {
  if (/zero/i.test(message)) return "Integer division by zero.";
  if (/unrepresentable|integer overflow/i.test(message)) return "Integer overflow in division.";
  if (/call stack|recursion|^memory|^out of bounds memory|^index out/i.test(message)) return "Stack overflow.";
}

// The innermost functions of the program, as V8 writes them.
const traced = ({ stack }) => [...stack.matchAll(/^\s*at\s(?:(.*)\s\()?wasm:/gm)].map((match) => match[1])
  .filter((name) => name && !/^(rt_|cleave_)/.test(name)).map((name) => `  ${name}\n`).join("");

// Runs the program and tells `post` what happens. If it is `real`, its world is that of the process.
async function perform({ module, args, env, files, input, shared, real }, post, begin = (start) => start) {
  const state = shared && new Int32Array(shared, 0, 1), data = shared && new Uint8Array(shared, 8);
  // With shared memory we wait for the answer, a number.
  const ask = (message) => {
    post(message);
    if (!shared) return 0;
    Atomics.wait(state, 0, 0);
    return Atomics.exchange(state, 0, 0) - 1;
  };
  let rest = input ?? new Uint8Array();
  const read = (to) => {
    if (!rest.length && !input) rest = data.slice(0, ask({ read: data.length }));
    const part = rest.subarray(0, to.length);
    to.set(part);
    rest = rest.subarray(part.length);
    return part.length;
  };
  const output = (fd) => ({ write: (from) => { ask({ fd, bytes: from.slice() }); return from.length; } });
  const storage = real ? { open: openInNode } : filesInMemory(files);
  const channels = real ? [0, 1, 2].map(fileOfNode) : [{ read }, output(1), output(2)];
  let instance, status = 0;
  if (TRACE) Error.stackTraceLimit = 64;
  post({});
  try {
    const descriptors = [...channels, { name: "." }, { name: "/" }];
    const linear = () => instance.exports.memory;
    instance = new WebAssembly.Instance(module, importsOf(module, linear, args, env, descriptors, storage.open));
    await begin(instance.exports._start)();
  } catch (error) {
    let text = "";
    if (error instanceof Exit) status = error.status;
    else {
      const known = instance && meaning(error);
      try { instance.exports.rt_flush(); } catch {}
      status = known ? 255 : 134;
      text = (known ?? `${PROGRAM}: ${error}`) + "\n";
    }
    if (TRACE && status == 255) text += traced(error);
    try { if (text) channels[2].write(bytesOf(text)); } catch {}
  }
  post({ status, files: storage.changed?.() });
}

const compiled = async () => {
  const url = new URL(WASM, import.meta.url);
  return WebAssembly.compile(node && url.protocol == "file:" ? node.fs.readFileSync(url)
    : await (await fetch(url)).arrayBuffer());
};

// A Worker that performs a task, or undefined. Only node lets us choose its stack.
function worker(task, stack, receive, fault) {
  try {
    const thread = node
      ? new node.worker_threads.Worker(new URL(import.meta.url),
        { workerData: TAG, resourceLimits: { stackSizeMb: stack } }).on("message", receive).on("error", fault)
      : Object.assign(new Worker(import.meta.url, { type: "module", name: TAG }),
        { onmessage: ({ data }) => receive(data), onerror: fault });
    thread.postMessage(task);
    return thread;
  } catch {}
}

// Takes output: kept, given to a function, or written to a stream of either kind.
function sink(to = "string") {
  if (typeof to == "function") return { take: to, streams: true };
  if (to.getWriter) {
    const writer = to.getWriter();
    return { take: (bytes) => writer.write(bytes), end: async () => { await writer.close(); }, streams: true };
  }
  if (to.write) return { take: (bytes) => new Promise((done) => to.write(bytes, done)), streams: true };
  const chunks = [];
  return { take: (bytes) => { chunks.push(bytes); }, end: () => to == "bytes" ? joined(chunks) : textOf(joined(chunks)) };
}

// Performs a task in a Worker, or here. `next` gives pieces of standard input. Without shared memory they must all be
// there at the beginning, and output may arrive late.
const start = (task, [, out, err], next, stack) => new Promise((resolve, reject) => {
  let thread, alive = false, rest = new Uint8Array(), queue = Promise.resolve();
  const answer = (count) => {
    if (!task.shared) return;
    const state = new Int32Array(task.shared, 0, 1);
    Atomics.store(state, 0, count + 1);
    Atomics.notify(state, 0);
  };
  const treat = async ({ fd, bytes, read, status, files }) => {
    if (fd) {
      await (fd == 1 ? out : err).take(bytes);
      answer(0);
    } else if (read) {
      while (rest && !rest.length) rest = await next();
      const part = rest?.subarray(0, read) ?? [];
      new Uint8Array(task.shared, 8).set(part);
      rest = rest?.subarray(read);
      answer(part.length);
    } else if (status != null) {
      thread?.terminate();
      const stdout = await out.end?.();
      resolve({ status, stdout, stderr: err == out ? undefined : await err.end?.(), files });
    }
  };
  const fails = (error) => {
    thread?.terminate();
    reject(error);
  };
  const receive = (data) => {
    alive = true;
    queue = queue.then(() => treat(data)).catch(fails);
  };
  const directly = async () => {
    task.shared = undefined;
    await gather();
    perform(task, receive);
  };
  const gather = async () => {
    const chunks = [];
    for (let chunk; !task.input && (chunk = await next());) chunks.push(chunk);
    task.input ??= joined(chunks);
  };
  const fault = (error) => {
    if (!alive) return directly().catch(fails);
    receive({ fd: 2, bytes: bytesOf(`${PROGRAM}: ${error.message}\n`) });
    receive({ status: 134 });
  };
  (async () => {
    if ((next || out.streams || err.streams) && (node || globalThis.crossOriginIsolated))
      task.shared = new SharedArrayBuffer(8 + 65536);
    else await gather();
    thread = worker(task, stack, receive, fault);
    if (!thread) await directly();
  })().catch(fails);
});

/** Runs the program; the declarations beside this file say more. */
export async function run({ args = [], stdin = "", stdout, stderr, env = {}, files = {}, stack = 512 } = {}) {
  const whole = typeof stdin == "string" || ArrayBuffer.isView(stdin) || stdin instanceof ArrayBuffer;
  const source = !whole && (stdin.getReader?.() ?? (stdin[Symbol.asyncIterator] ?? stdin[Symbol.iterator]).call(stdin));
  const next = async () => {
    const { value, done } = await (source.read ? source.read() : source.next());
    return done ? undefined : bytesOf(value);
  };
  const out = sink(stdout), err = stderr && stderr == stdout && out.streams ? out : sink(stderr);
  const given = files instanceof Map ? [...files] : Object.entries(files);
  const task = {
    module: await compiled(), args: [PROGRAM, ...args], env,
    input: whole ? bytesOf(stdin) : undefined,
    files: given.map(([name, data]) => [name, bytesOf(data).slice()]),
  };
  return start(task, [, out, err], whole ? undefined : next, stack);
}

if (node) {
  const { isMainThread, parentPort, workerData } = node.worker_threads, script = host.argv[1];
  const isScript = () => {
    try { return node.fs.realpathSync(script) == node.url.fileURLToPath(import.meta.url); } catch {}
  };
  if (!isMainThread && workerData == TAG)
    parentPort.once("message", (task) => perform(task, (message) => parentPort.postMessage(message)));
  else if (isMainThread && isScript()) {
    const args = [script.replace(/\.m?js$/, ""), ...host.argv.slice(2)];
    const task = { module: await compiled(), args, env: { ...host.env }, real: true, input: new Uint8Array() };
    const err = { take: (bytes) => { host.stderr.write(bytes); } };
    host.exitCode = (await start(task, [, err, err], undefined, 512)).status;
  }
} else if (globalThis.WorkerGlobalScope && globalThis.name == TAG) {
  globalThis.onmessage = ({ data }) => perform(data, (message) => globalThis.postMessage(message), WebAssembly.promising);
}
