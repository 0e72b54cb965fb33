// The worker of a program: runs it once, sends what it prints, and says how it ended.

import { Exit, Files, instantiate } from "../../compiler/src/index.js";

export interface Task {
  wasm: WebAssembly.Module | Uint8Array<ArrayBuffer>;
  args: string[];
  input: string;
  files: Record<string, string>;
}

/** What the run-time system counted. */
export interface Statistics {
  collections: number;
  allocated: number;
  copied: number;
  live: number;
  peak: number;
}

export type Message =
  | { kind: "output"; descriptor: 1 | 2; text: string }
  /** Bytes that were printed so far, if not all of them are sent. */
  | { kind: "progress"; bytes: number }
  | { kind: "end"; status: number; message: string; tail: string; bytes: number; loaded: number; ran: number; memory: number; statistics?: Statistics };

/** So much output is sent; of the rest the end is kept. */
const SENT = 1 << 18;
const TAIL = 1 << 14;
const PIECE = 1 << 16;
const PAUSE = 40;
/** So many messages are sent in a pause before output is collected: what is printed before a long silence is seen. */
const AT_ONCE = 50;
/** The status of a run-time error. */
const FAILED = 255;

const post = (message: Message) => self.postMessage(message);

/** Collects output, so that one message has many lines. */
class Output {
  bytes = 0;
  private pending: Uint8Array[] = [];
  private size = 0;
  private last: 1 | 2 = 1;
  private told = 0;
  /** When the pause began, and what was sent in it. */
  private begin = 0;
  private sent = 0;
  private tail = new Uint8Array(3 * TAIL);
  private used = 0;
  private kept = 0;
  private decoders = { 1: new TextDecoder(), 2: new TextDecoder() };

  write(descriptor: 1 | 2, bytes: Uint8Array): void {
    this.bytes += bytes.length;
    if (this.bytes > SENT) return this.keep(bytes);
    if (descriptor !== this.last) this.flush();
    this.last = descriptor;
    this.pending.push(bytes.slice());
    this.size += bytes.length;
    const now = performance.now();
    if (now - this.begin > PAUSE) [this.begin, this.sent] = [now, 0];
    if (this.size >= PIECE || this.sent < AT_ONCE) this.flush();
  }

  flush(): void {
    const all = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pending) {
      all.set(piece, at);
      at += piece.length;
    }
    const text = this.decoders[this.last].decode(all, { stream: true });
    if (text) post({ kind: "output", descriptor: this.last, text });
    this.pending = [];
    this.size = 0;
    this.sent++;
  }

  /** The end of what was not sent. */
  rest(): string {
    return new TextDecoder().decode(this.tail.subarray(Math.max(0, this.used - TAIL), this.used));
  }

  private keep(bytes: Uint8Array): void {
    this.flushOnce();
    const part = bytes.subarray(Math.max(0, bytes.length - TAIL));
    if (this.used + part.length > this.tail.length) {
      this.tail.copyWithin(0, Math.max(0, this.used - TAIL), this.used);
      this.used = Math.min(this.used, TAIL);
    }
    this.tail.set(part, this.used);
    this.used += part.length;
    // To ask the clock takes longer than to keep a line.
    if (++this.kept % 256 !== 0) return;
    if (performance.now() - this.told > 5 * PAUSE) {
      this.told = performance.now();
      post({ kind: "progress", bytes: this.bytes });
    }
  }

  private flushOnce(): void {
    if (this.pending.length > 0) this.flush();
  }
}

function statisticsOf(exports: WebAssembly.Exports): Statistics | undefined {
  const ask = exports.rt_statistics as (() => number) | undefined;
  if (!ask) return undefined;
  try {
    const view = new DataView((exports.memory as WebAssembly.Memory).buffer, ask() >>> 0, 48);
    const at = (offset: number) => Number(view.getBigUint64(offset, true));
    return { collections: at(0), allocated: at(8), copied: at(16), live: at(32), peak: at(40) };
  } catch {
    return undefined;
  }
}

/** What a fault of the engine means to the programmer. */
function meaning(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/call stack|recursion/i.test(text)) return "Stack overflow: the recursion is deeper than this browser allows.";
  if (/out of bounds|memory access/i.test(text)) return "Stack overflow.";
  return `The program was ended: ${text}`;
}

/** What the compiler calls functions in programs that are built with `--trace`. */
const TRACED = /([^\s@(]+ \[module: [^\]]+\])/g;
const LINES = 20;
Object.assign(Error, { stackTraceLimit: 200 });

/** The name of a module, by its section of names; V8 puts it before those of functions. */
function nameOf(module: WebAssembly.Module): string {
  const section = WebAssembly.Module.customSections(module, "name")[0];
  const bytes = new Uint8Array(section ?? new ArrayBuffer(0));
  // Number and size of the part, then the length of the name; longer ones than a byte can tell are left as they are.
  const [part, size = 128, length = 128] = bytes;
  return part === 0 && size < 128 && length < 128 ? new TextDecoder().decode(bytes.subarray(3, 3 + length)) : "";
}

/** The functions that were active, if the program was built with their names. */
function trace({ stack = "" }: Error, module: string): string {
  const lines: [string, number][] = [];
  for (const [, qualified] of stack.matchAll(TRACED)) {
    const name = qualified!.startsWith(`${module}.`) ? qualified!.slice(module.length + 1) : qualified!;
    const last = lines.at(-1);
    if (last?.[0] === name) last[1]++;
    else lines.push([name, 1]);
  }
  const shown = lines.slice(0, LINES).map(([name, times]) => `  ${name}${times > 1 ? `, ${times} times` : ""}\n`);
  return shown.length > 0 ? `Stack trace:\n${shown.join("")}` : "";
}

self.onmessage = async ({ data }: MessageEvent<Task>) => {
  const output = new Output();
  let rest = new TextEncoder().encode(data.input);
  let begin = performance.now();
  let loaded = 0;
  let status = 0;
  let message = "";
  let exports: WebAssembly.Exports | undefined;
  let module: WebAssembly.Module | undefined;
  try {
    module = data.wasm instanceof WebAssembly.Module ? data.wasm : await WebAssembly.compile(data.wasm);
    exports = instantiate(module, {
      args: ["program", ...data.args],
      files: new Files(data.files),
      read: (to) => {
        const part = rest.subarray(0, to.length);
        to.set(part);
        rest = rest.subarray(part.length);
        return part.length;
      },
      write: (descriptor, bytes) => output.write(descriptor, bytes),
    });
    (exports.rt_embedded as (() => void) | undefined)?.();
    loaded = performance.now() - begin;
    begin = performance.now();
    (exports._start as () => void)();
  } catch (error) {
    if (error instanceof Exit) {
      status = error.status;
      if (status === FAILED) message = trace(error, module ? nameOf(module) : "");
    } else {
      status = FAILED;
      message = meaning(error);
      try {
        (exports?.rt_flush as (() => void) | undefined)?.();
      } catch {
        // What it had printed is there.
      }
    }
  }
  const ran = performance.now() - begin;
  output.flush();
  const memory = (exports?.memory as WebAssembly.Memory | undefined)?.buffer.byteLength ?? 0;
  const statistics = exports && statisticsOf(exports);
  post({ kind: "end", status, message, tail: output.rest(), bytes: output.bytes, loaded, ran, memory, statistics });
};
