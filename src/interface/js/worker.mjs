// Functions of {{WASM}} in a Worker, for node 20 and later and for browsers. Written by Cleave.
const threads = !globalThis.Worker && await import("node:" + "worker_threads");

/** An error of the program, with its message. What was computed is lost; the next call begins anew. */
export class ProgramError extends Error {
  name = "ProgramError";
}

const kinds = { ProgramError, TypeError };
const calls = new Map();
let worker, last = 0;

// Whoever waits gets an error; the next call makes another Worker.
function lose(own, error) {
  if (worker != own) return;
  worker = undefined;
  for (const { reject } of calls.values()) reject(error);
  calls.clear();
}

function start() {
  const own = threads ? new threads.Worker(new URL("{{WORKER}}", import.meta.url))
    : new Worker(new URL("{{WORKER}}", import.meta.url), { type: "module" });
  let isReady;
  // A message that comes before the Worker listens may be lost.
  own.ready = new Promise((resolve) => isReady = resolve);
  const on = (event, work) => threads ? own.on(event, work) : own.addEventListener(event, work);
  on("error", (error) => lose(own, new ProgramError(error.message ?? "the Worker cannot be started", { cause: error })));
  on("message", (message) => {
    const [number, value, error] = threads ? message : message.data;
    if (!number) return isReady();
    const { resolve, reject } = calls.get(number);
    calls.delete(number);
    if (!calls.size) own.unref?.();
    if (error) reject(new (kinds[error.name] ?? Error)(error.message));
    else resolve(value);
  });
  return own;
}

const call = async (name, args) => {
  const own = worker ??= start(), number = ++last;
  const result = new Promise((resolve, reject) => calls.set(number, { resolve, reject }));
  // A process does not end while somebody waits, and not because of the Worker alone.
  own.ref?.();
  own.ready.then(() => {
    try {
      if (calls.has(number)) own.postMessage([number, name, args]);
    } catch (error) {
      // Something cannot be copied into another thread.
      calls.get(number).reject(new TypeError(`${name}: ${error.message}`, { cause: error }));
      calls.delete(number);
    }
  });
  return result;
};

/** Ends the Worker: who waits for a result gets a ProgramError, and the next call begins anew. */
function end() {
  const own = worker;
  lose(own, new ProgramError("The Worker was ended."));
  own?.terminate();
}
