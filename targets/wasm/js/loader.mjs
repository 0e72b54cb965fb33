//! The loader that is written beside a program: `run` for other modules, and the program itself under node.
//!
//! A template: `js.rs` fills in the names in double braces and leaves out whole lines of comments, so comments cost
//! nothing. `run` performs the program in a Worker (this module again) wherever there is one, so that streams can be
//! awaited while it waits; otherwise where it was called. As a script of node the program has no streams to wait for,
//! and a large stack needs no Worker, which would only cost its start, more than all of a small program. Programs
//! whose functions cannot be captured still get one, for its stack. Imports of WASI are ours, not node's: node 20 calls
//! its own in a way that a garbage collection cannot walk, and aborts. Those that our runtime does not import answer
//! ENOSYS. Addresses come as signed numbers.
//!
//! ```text
//! run ──{module, args, …}──▶ perform (in the Worker) ──▶ WASI imports ──▶ files in memory, or of node
//!     ◀──{bytes, fd}, {read}, {status, files}──          with shared memory the Worker waits for each answer
//! ```

const PROGRAM = "{{NAME}}", WASM = "{{WASM}}";
const TAG = "cleave:" + PROGRAM;
const world = globalThis, host = world.process, node = host?.versions?.node, Bytes = Uint8Array;
const isV8 = node && !host.versions.bun && !host.versions.deno;
// Gives parts of node when they are needed: to load one takes as long as a small program runs. No packager for browsers
// shall look for them.
const part = node
  && (host.getBuiltinModule ?? (await import("node:" + (node && "module"))).createRequire(import.meta.url));
const fs = part?.("fs");
const bytesOf = (data) => typeof data == "string" ? new TextEncoder().encode(data)
  : ArrayBuffer.isView(data) ? new Bytes(data.buffer, data.byteOffset, data.byteLength) : new Bytes(data);
const textOf = (bytes) => new TextDecoder().decode(bytes);
const joined = (chunks) => {
  const all = new Bytes(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) all.set(chunk, at), at += chunk.length;
  return all;
};

// The end of a program, thrown by `proc_exit`. The trace needs its stack.
const exit = (ending) => { throw Object.assign(new Error(), { ending }); };

// Errors of files, by node's names.
const ERRORS = { EACCES: 2, EBADF: 8, EEXIST: 20, EINVAL: 28, EISDIR: 31, ENOENT: 44, ENOSPC: 51, ENOSYS: 52,
  ENOTDIR: 54, ENOTEMPTY: 55, EPERM: 63 };
const fail = (code) => { throw Object.assign(new Error(code), { code }); };

// Files in memory, by their names in normal form. There are no folders.
const normal = (path) => {
  const parts = [];
  for (const part of path.split("/"))
    if (part == "..") parts.pop();
    else if (part && part != ".") parts.push(part);
  return (path[0] == "/" ? "/" : "") + parts.join("/");
};

function filesInMemory(initial) {
  const files = new Map();
  let number = 0;
  const create = (path, content) => {
    const file = { content, used: content.length, number: ++number, given: path, changed: false };
    files.set(normal(path), file);
    return file;
  };
  for (const [path, content] of initial) create(path, content);
  const find = (path) => files.get(normal(textOf(path)));
  const record = (file) => file ? [file.number, 4, file.used] : fail("ENOENT");
  return {
    find: (path) => record(find(path)),
    rename: () => fail("ENOSYS"),
    list: () => fail("ENOSYS"),
    open(path, creation) {
      let file = find(path);
      if (!file) {
        if (!(creation & 1)) fail("ENOENT");
        file = create(textOf(path), new Bytes());
        file.changed = true;
      } else if (creation & 4) fail("EEXIST");
      if (creation & 8) file.used = 0, file.changed = true;
      let position = 0;
      return {
        read(to) {
          const part = file.content.subarray(position, Math.min(position + to.length, file.used));
          to.set(part);
          position += part.length;
          return part.length;
        },
        write(from) {
          const end = position + from.length;
          if (end > file.content.length) {
            const larger = new Bytes(2 * end);
            larger.set(file.content);
            file.content = larger;
          }
          if (position > file.used) file.content.fill(0, file.used, position);
          file.content.set(from, position);
          file.used = Math.max(file.used, position = end);
          file.changed = true;
          return from.length;
        },
        seek(offset, whence) {
          const target = [0, position, file.used][whence] + offset;
          return target < 0 ? fail("EINVAL") : position = target;
        },
        stat: () => record(file),
      };
    },
    changed: () => Object.fromEntries([...files.values()].filter((file) => file.changed)
      .map((file) => [file.given, file.content.slice(0, file.used)])),
  };
}

// What WASI tells of a file of node: number, kind, size, device, time.
const recordOf = (stat) =>
  [stat.ino, stat.isDirectory() ? 3 : stat.isFile() ? 4 : stat.isSymbolicLink() ? 7 : 0, stat.size, stat.dev,
    stat.mtimeMs];

// Files of node. Only regular ones have a position, which is ours: node cannot seek.
function fileOfNode(fd) {
  let position = fs.fstatSync(fd).isFile() && fd > 2 ? 0 : null;
  // A terminal or pipe may be set not to wait.
  const patiently = (action) => {
    for (;;) {
      try {
        const count = action();
        if (position != null) position += count;
        return count;
      } catch (error) {
        if (error.code == "EOF") return 0;
        if (error.code == "EPIPE") exit(141);
        if (error.code != "EAGAIN") throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
  };
  return {
    terminal: fs.fstatSync(fd).isCharacterDevice() && part("tty").isatty(fd),
    read: (to) => patiently(() => fs.readSync(fd, to, 0, to.length, position)),
    write: (from) => patiently(() => fs.writeSync(fd, from, 0, from.length, position)),
    seek(offset, whence) {
      if (position == null) fail("ESPIPE");
      const target = [0, position, whence == 2 && fs.fstatSync(fd).size][whence] + offset;
      return target < 0 ? fail("EINVAL") : position = target;
    },
    stat: () => recordOf(fs.fstatSync(fd)),
    close: () => fs.closeSync(fd),
  };
}

function filesOfNode() {
  const flag = fs.constants;
  return {
    open: (path, creation, read, write) => fileOfNode(fs.openSync(path, (write ? read ? flag.O_RDWR : flag.O_WRONLY : 0)
      | (creation & 1 && flag.O_CREAT) | (creation & 4 && flag.O_EXCL) | (creation & 8 && flag.O_TRUNC))),
    find: (path, follow) => recordOf((follow ? fs.statSync : fs.lstatSync)(path)),
    calls: {
      path_create_directory: fs.mkdirSync, path_remove_directory: fs.rmdirSync, path_unlink_file: fs.unlinkSync,
    },
    rename: fs.renameSync,
    list: fs.readdirSync,
  };
}

// The imports of WASI over descriptors. An error of a file becomes a number; all others end the program.
function importsOf(module, outside, linear, args, env, files, storage) {
  const view = () => new DataView(linear().buffer);
  const bytes = (at, length) => new Bytes(linear().buffer, at, length);
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
  // A path below a folder: all folders are the root or the current one.
  const pathOf = (fd, at, length) => joined([bytesOf(file(fd).preopen == "/" ? "/" : ""), bytes(at, length)]);
  const record = (at, [number, type, size, device = 1, time = 0]) => {
    bytes(at, 64).fill(0);
    [device, number, type, 1, size, time * 1e6, time * 1e6, time * 1e6]
      .forEach((value, n) => long(at + 8 * n, Math.round(value)));
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
  const write = transfer("write");
  const [args_sizes_get, args_get] = strings(args);
  const [environ_sizes_get, environ_get] = strings(Object.entries(env).map(([name, value]) => `${name}=${value}`));
  const wasi = {
    args_sizes_get, args_get, environ_sizes_get, environ_get,
    fd_read: transfer("read"),
    // A program asks whether any status will do: rt/abi/layout.rs, `ANY_STATUS`.
    fd_write: (fd, ...rest) => fd == 0x434c4556 || write(fd, ...rest),
    fd_seek: (fd, offset, whence, result) => long(result, (file(fd).seek ?? fail("ESPIPE"))(Number(offset), whence)),
    fd_close(fd) {
      file(fd).close?.();
      files[fd] = null;
    },
    // What is a terminal; and for C libraries what may be done with a descriptor: everything.
    fd_fdstat_get(fd, at) {
      const { preopen, terminal, stat } = file(fd);
      bytes(at, 24).fill(terminal ? 0 : 255);
      word(at, preopen ? 3 : terminal ? 2 : stat?.()[1]);
    },
    fd_filestat_get: (fd, at) => record(at, file(fd).stat?.() ?? [0, 0, 0]),
    path_filestat_get: (fd, follow, path, length, at) => record(at, storage.find(pathOf(fd, path, length), follow & 1)),
    path_rename: (fd, at, length, other, to, size) => storage.rename(pathOf(fd, at, length), pathOf(other, to, size)),
    // An entry at a time, which is what our programs ask for.
    fd_readdir(fd, at, room, cookie, result) {
      const folder = file(fd);
      folder.names ??= [".", "..", ...storage.list(folder.path)];
      const name = folder.names[cookie], text = bytesOf(name ?? "").subarray(0, room - 24);
      bytes(at, 24).fill(0);
      long(at, cookie + 1n), word(at + 16, text.length), bytes(at + 24, text.length).set(text);
      word(result, name && 24 + text.length);
    },
    fd_prestat_get: (fd, at) => { word(at, 0); word(at + 4, (file(fd).preopen ?? fail("EBADF")).length); },
    fd_prestat_dir_name: (fd, at) => bytes(at, 1).set(bytesOf(file(fd).preopen)),
    path_open(fd, _, at, length, creation, rights, __, append, result) {
      const path = pathOf(fd, at, length), opened = storage.open(path, creation, rights & 2n, rights & 64n);
      opened.path = path;
      if (append & 1) opened.seek(0, 2);
      let place = 3;
      while (files[place]) place++;
      files[place] = opened;
      word(result, place);
    },
    clock_time_get(clock, _, at) {
      long(at, Math.round((clock ? performance.now() : Date.now()) * 1e6));
    },
    proc_exit: exit,
  };
  for (const name in storage.calls) wasi[name] = (fd, at, length) => storage.calls[name](pathOf(fd, at, length));
  const all = { ...outside };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
    if (kind == "function" && !outside[from]) (all[from] ??= {})[name] = (...values) => {
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

// Functions from outside are those of JavaScript modules.
async function outsideOf(module, modules) {
  const all = {};
  for (const { module: from } of WebAssembly.Module.imports(module))
    if (!from.startsWith("wasi")) all[from] ??= await import(new URL(modules?.[from] ?? from, import.meta.url));
  return all;
}

// What the fault of an engine (V8, SpiderMonkey, JavaScriptCore) means to the programmer. The stack for references
// ends at address 0, and nothing else of a program leaves its memory.
function meaning({ message }) {
  if (/call stack|recursion|^memory|^out of b|^index o/i.test(message)) return "Stack overflow.";
}

// With traces:
// The innermost functions of the program, as V8 writes them; and those that were captured, behind what goes on with
// them (`src/run/captured_frames.rs`).
const FRAMES = 200, LINES = 20;
const traced = ({ stack }, module, memory) => {
  const lines = [];
  // With frames:
  const view = new DataView(memory.buffer), word = (at) => view.getUint32(at, true);
  const [section] = WebAssembly.Module.customSections(module, "cleave.frames");
  const [bits, ...names] = section ? textOf(section).split("\n") : [];
  // With traces:
  let more = 0;
  const add = (name) => {
    const last = lines.at(-1);
    if (!name?.includes(" [module: ")) return;
    if (!more && last?.[0] == name) last[1]++;
    else if (lines.length == LINES) more++;
    else lines.push([name, 1]);
  };
  // From which bytes of the module on its code is called by a line (`src/driver/trace.rs`).
  const [table] = WebAssembly.Module.customSections(module, "cleave.lines");
  const [rows, files, ...labels] = table ? textOf(table).split("\n") : [""];
  const lineAt = (offset) => {
    let start = 0, line = 0, name = 0;
    for (const row of rows.split(",")) {
      const [distance, next, other = name] = row.split(" ").map((digits) => parseInt(digits, 36));
      if ((start += distance) > offset) break;
      [line, name] = [next, other];
    }
    if (!line) return;
    const [label, file] = labels[name].split("\t");
    return `${label} [module: ${files.split("\t")[parseInt(file, 36)]}:${line}]`;
  };
  for (const [, qualified, place] of stack.matchAll(/^\s*at\s(.*)\s\(wasm:(.*)/gm)) {
    add(lineAt(parseInt(place.split(":").pop())) ?? qualified.replace("{{TRACE}}.", ""));
    // With frames:
    if (section && qualified.endsWith("stackless.trampoline"))
      for (let next = word(72), start = word(84), end = word(88); start;)
        if (next == end) [start, end, next] = [28, 24, 20].map((back) => word(start - back));
        else add(names[word(next) >>> bits]), next += 12 + word(next + 8);
    // With traces:
  }
  if (!lines.length) return "";
  const text = lines.map(([name, count]) => "  " + name + (count > 1 ? `, ${count} times\n` : "\n")).join("");
  const isCut = stack.match(/^\s*at\s/gm).length == FRAMES;
  return "Stack trace:\n" + text + (isCut ? "  … more\n" : more ? `  … ${more} more\n` : "");
};
// In any case:

// Runs the program and tells `post` what happens. If it is `real`, its world is that of the process.
async function perform({ module, args, env, files, input, shared, real, modules, stack }, post, begin = (start) => start) {
  const state = shared && new Int32Array(shared, 0, 1), data = shared && new Bytes(shared, 8);
  // With shared memory we wait for the answer, a number.
  const ask = (message) => {
    post(message);
    if (!shared) return 0;
    Atomics.wait(state, 0, 0);
    return Atomics.exchange(state, 0, 0) - 1;
  };
  let rest = input || new Bytes();
  const read = (to) => {
    if (!rest.length && !input) rest = data.slice(0, ask({ read: data.length }));
    const part = rest.subarray(0, to.length);
    to.set(part);
    rest = rest.subarray(part.length);
    return part.length;
  };
  const output = (fd) => ({ write: (from) => { ask({ fd, bytes: from.slice() }); return from.length; } });
  const storage = real ? filesOfNode() : filesInMemory(files);
  const channels = real ? [0, 1, 2].map(fileOfNode) : [{ read }, output(1), output(2)];
  let instance, status = 0;
  // With traces:
  Error.stackTraceLimit = FRAMES;
  // In any case:
  post({});
  try {
    // C libraries take the last for all paths that they do not know better: those from the current folder.
    const descriptors = [...channels, { preopen: "/" }, { preopen: "." }];
    const linear = () => instance.exports.memory;
    const outside = await outsideOf(module, modules);
    instance = new WebAssembly.Instance(module, importsOf(module, outside, linear, args, env, descriptors, storage));
    instance.exports.rt_embedded(stack);
    await begin(instance.exports._start)();
  } catch (error) {
    let text = "";
    if (error.ending != null) status = error.ending;
    else {
      const known = instance && meaning(error);
      try { instance.exports.rt_flush(); } catch {}
      status = known ? 255 : 134;
      text = (known ?? `${PROGRAM}: ${error}`) + "\n";
    }
    // With traces:
    if (status == 255) text += traced(error, module, instance.exports.memory);
    // In any case:
    try { if (text) channels[2].write(bytesOf(text)); } catch {}
  }
  post({ status, files: storage.changed?.() });
}

const compiled = async () => {
  const url = new URL(WASM, import.meta.url);
  return WebAssembly.compile(node && url.protocol == "file:" ? fs.readFileSync(url)
    : await (await fetch(url)).arrayBuffer());
};

// A Worker that performs a task, or undefined. Only node lets us choose its stack.
function worker(task, stack, receive, fault) {
  try {
    const thread = node
      ? new (part("worker_threads").Worker)(new URL(import.meta.url),
        { workerData: TAG, resourceLimits: { stackSizeMb: stack } }).on("message", receive).on("error", fault)
      : Object.assign(new Worker(import.meta.url, { type: "module", name: TAG }),
        { onmessage: ({ data }) => receive(data), onerror: fault });
    // Others than node may give less than they are asked for.
    thread.postMessage({ ...task, stack: isV8 ? stack * 700000 : 0 });
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
  const all = () => joined(chunks);
  return { take: (bytes) => { chunks.push(bytes); }, end: () => to == "bytes" ? all() : textOf(all()) };
}

// Performs a task in a Worker, or here. `next` gives pieces of standard input. Without shared memory they must all be
// there at the beginning, and output may arrive late.
const start = (task, [, out, err], next, stack) => new Promise((resolve, reject) => {
  let thread, alive = false, rest = new Bytes(), queue = Promise.resolve();
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
      new Bytes(task.shared, 8).set(part);
      rest = rest?.subarray(read);
      answer(part.length);
    } else if (status != null) {
      thread?.terminate();
      const stdout = await out.end?.();
      resolve({ status, stdout, stderr: err == out ? stdout : await err.end?.(), files });
    }
  };
  const fails = (error) => { thread?.terminate(); reject(error); };
  const receive = (data) => {
    alive = true;
    queue = queue.then(() => treat(data)).catch(fails);
  };
  const directly = async () => {
    task.shared = null;
    await gather();
    perform(task, receive);
  };
  const gather = async () => {
    const chunks = [];
    for (let chunk; !task.input && (chunk = await next());) chunks.push(chunk);
    task.input ||= joined(chunks);
  };
  const fault = (error) => {
    if (!alive) return directly().catch(fails);
    receive({ fd: 2, bytes: bytesOf(`${PROGRAM}: ${error.message}\n`) });
    receive({ status: 134 });
  };
  (async () => {
    if ((next || out.streams || err.streams) && (node || world.crossOriginIsolated))
      task.shared = new SharedArrayBuffer(8 + 65536);
    else await gather();
    thread = worker(task, stack, receive, fault);
    if (!thread) await directly();
  })().catch(fails);
});

/** Runs the program; the declarations beside this file say more. */
export async function run({ args = [], stdin = "", stdout, stderr, env = {}, files = {}, stack = 512, modules } = {}) {
  const whole = typeof stdin == "string" || ArrayBuffer.isView(stdin) || stdin instanceof ArrayBuffer;
  const source = !whole && (stdin.getReader?.() ?? (stdin[Symbol.asyncIterator] ?? stdin[Symbol.iterator]).call(stdin));
  const next = async () => {
    const { value, done } = await (source.read ? source.read() : source.next());
    if (!done) return bytesOf(value);
  };
  const out = sink(stdout), err = stderr && stderr == stdout && out.streams ? out : sink(stderr);
  const given = files instanceof Map ? [...files] : Object.entries(files);
  const task = {
    module: await compiled(), args: [PROGRAM, ...args], env, modules,
    input: whole && bytesOf(stdin),
    files: given.map(([name, data]) => [name, bytesOf(data).slice()]),
  };
  return start(task, [, out, err], !whole && next, stack);
}

if (node) {
  const { parentPort, workerData } = part("worker_threads"), script = host.argv[1];
  const isScript = () => {
    try { return fs.realpathSync(script) == fs.realpathSync(new URL(import.meta.url)); } catch {}
  };
  if (workerData == TAG)
    parentPort.once("message", (task) => perform(task, (message) => parentPort.postMessage(message)));
  else if (isScript()) {
    const args = [script.replace(/\.m?js$/, ""), ...host.argv.slice(2)];
    const task = { module: await compiled(), args, env: { ...host.env }, real: true, input: new Bytes() };
    // With captures:
    // What gives a promise is run by V8 on a stack of its own, as large as its flags say. When they have changed, V8 has
    // to compile the parts of node that are still to be loaded.
    const own = isV8 && parseInt(node) > 24 && WebAssembly.promising, size = "stack-size=262144";
    task.stack = own && 180e6;
    await perform(task, ({ status }) => { host.exitCode = status; }, own ? (start) => {
      part("v8").setFlagsFromString(`--${size} --wasm-stack-switching-${size}`);
      return own(start);
    } : undefined);
    // Without captures:
    const err = { take: (bytes) => { host.stderr.write(bytes); } };
    host.exitCode = (await start(task, [, err, err], null, 512)).status;
    // In any case:
  }
} else if (world.WorkerGlobalScope && world.name == TAG) {
  world.onmessage = ({ data }) => perform(data, (message) => world.postMessage(message), WebAssembly.promising);
}
