// The compiler in WebAssembly, for pages and for node: sources in, diagnostics, program and stages out.
//
// It is the command `cleave` itself. Each call gets a fresh instance and files in memory, so calls know nothing of each
// other, and one that goes wrong spoils none that follows.

import { Exit, Files, imports, type Data, type World } from "./wasi.js";
import { Debugger, type State } from "./debug.js";
import * as questions from "./questions.js";
import type { Completion, Hover, Place, Position } from "./questions.js";
export { Exit, Files, imports, type Data, type World } from "./wasi.js";
export type { Completion, Hover, Place, Position, Range } from "./questions.js";
export { Debugger, type Call, type Cell, type State, type Step, type Value } from "./debug.js";

/** A place in a source. Lines and columns count from 1, columns in characters; `start` and `end` are offsets in bytes. */
export interface Span {
  file: string;
  start: number;
  end: number;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  primary: boolean;
  label: string;
}

/** A message about the input. */
export interface Diagnostic {
  /** As `E0203`; empty for a remark. */
  code: string;
  level: "error" | "warning" | "note";
  message: string;
  spans: Span[];
  help: string[];
  /** The message as the command line shows it. */
  rendered: string;
}

/** A pass of the pipeline, after which the IR can be looked at. */
export interface Pass {
  name: string;
  description: string;
  group: string;
  /** The phase of the IR behind it: `high`, `rooted` or `low`. */
  phase: string;
}

/** What this compiler is. */
export interface About {
  version: string;
  /** Identifies the sources that it was built from. */
  sources: string;
  /** Endings of the files in which a main module may be. */
  extensions: string[];
  /** In their order. `build` is the IR as the front end made it. */
  passes: Pass[];
  /** What the codes of diagnostics mean. */
  codes: { code: string; title: string; explanation: string }[];
}

/** What is to be made of a program. */
export interface Options {
  /** The file of the main module. */
  main: string;
  /** Flags of `cleave build`, as `["-O1", "--memory=rc"]`. */
  flags?: readonly string[];
  /**
   * Names of passes after which the IR is wanted as text; `tree`: the typed tree; `ir`: after all optimisations; `calls`:
   * who calls whom; `wat`: the program as text.
   */
  stages?: readonly string[];
  /** Only say what is wrong; make nothing. */
  check?: boolean;
  /** With `check`: say what becomes of memory, too. Only programs whose references can be counted have an answer. */
  memory?: boolean;
}

/** What was made of a program. */
export interface Result {
  /** There is no error. */
  ok: boolean;
  /** 0, 1 (errors in the input), 2 (flags that do not exist), or 101 (the compiler is wrong). */
  status: number;
  diagnostics: Diagnostic[];
  /** What else the compiler wrote to stderr: wrong flags, or the message of a bug. */
  log: string;
  /** The program, a command of WASI. */
  wasm?: Uint8Array<ArrayBuffer>;
  /** Its loader for JavaScript, which looks for `NAME.wasm` beside itself. */
  mjs?: string;
  /** Declarations of the loader for TypeScript. */
  declarations?: string;
  /** What becomes of memory, as `cleave check --memory-report` says it. */
  memory?: string;
  /** The text at each stage. */
  stages: Record<string, string>;
  /** Milliseconds. */
  time: number;
}

/** What is to be debugged. */
export interface DebugOptions {
  main: string;
  /** Flags of `cleave step`. */
  flags?: readonly string[];
  args?: readonly string[];
  input?: Data;
}

/** What a call of the command left. */
export interface Called {
  status: number;
  stdout: string;
  stderr: string;
  files: Files;
}

/** Where results are written; no source is there. */
const OUT = "/.out";
const TRAPPED = 101;

/** A compiler that is ready. */
export class Compiler {
  #about?: About;

  constructor(readonly module: WebAssembly.Module) {}

  /** Calls the command `cleave` with arguments, and with files that it may read and write. */
  call(args: readonly string[], files: Files = new Files(), stdin = ""): Called {
    return this.#enter("cleave_main", ["cleave", ...args], files, stdin);
  }

  #enter(name: string, args: readonly string[], files: Files, stdin: string): Called {
    const { world, output, feed } = channels(args, files);
    feed(stdin);
    let status: number;
    let trap = "";
    try {
      const exports = instantiate(this.module, world);
      status = (exports[name] as () => number)();
    } catch (error) {
      status = error instanceof Exit ? error.status : TRAPPED;
      if (!(error instanceof Exit) && output[2].length === 0) trap = `cleave: ${error}\n`;
    }
    return { status, stdout: joined(output[1]), stderr: joined(output[2]) + trap, files };
  }

  /** Starts a program under the debugger; without one, the messages say why. */
  debug(
    sources: Readonly<Record<string, Data>>,
    { main, flags = [], args = [], input = "" }: DebugOptions,
  ): { debugger?: Debugger; diagnostics: Diagnostic[]; log: string } {
    const files = new Files(sources);
    files.makeFolder(OUT);
    files.put(`${OUT}/input`, input);
    const words = ["cleave", "step", main, ...flags, `--input=${OUT}/input`, "--message-format=json", "--", ...args];
    const { world, output, feed } = channels(words, files);
    const taken = () => joined(output[1].splice(0));
    let exports: WebAssembly.Exports;
    const enter = (name: string) => {
      output[2].length = 0;
      try {
        return (exports[name] as () => number)();
      } catch (error) {
        if (error instanceof Exit) return error.status;
        throw new Error(joined(output[2]) || String(error));
      }
    };
    exports = instantiate(this.module, world);
    const status = enter("cleave_debug");
    const messages = messagesOf(joined(output[2]));
    if (status !== 0) return messages;
    const send = (line: string) => {
      feed(`${line}\n`);
      enter("cleave_debug_command");
      return taken();
    };
    return { debugger: new Debugger(JSON.parse(taken()) as State, send), ...messages };
  }

  /** Version, passes and codes. */
  get about(): About {
    return (this.#about ??= JSON.parse(this.#enter("cleave_about", ["cleave"], new Files(), "").stdout) as About);
  }

  /** Compiles a program whose files are given by name. */
  compile(files: Readonly<Record<string, Data>>, options: Options): Result {
    const begin = performance.now();
    const world = new Files(files);
    world.makeFolder(OUT);
    world.makeFolder(`${OUT}/stages`);
    const stages = options.stages ?? [];
    const { main, flags = [] } = options;
    const common = [main, ...flags, "--message-format=json", "--color=never"];
    const stem = (main.split("/").at(-1) ?? main).replace(/\.\w+$/, "") || "main";
    const path = (stage: string) => `${OUT}/stages/${stage}`;
    const emit = stages.map((stage) => `--emit=${["tree", "ir", "calls", "wat"].includes(stage) ? stage : `ir:${stage}`}=${path(stage)}`);
    const args = options.check ? ["check", ...common, ...(options.memory ? ["--memory-report"] : [])] : ["build", ...common, "-o", `${OUT}/${stem}.mjs`, ...emit];
    const called = this.call(args, world);
    const { diagnostics, log } = messagesOf(called.stderr);
    const result: Result = {
      ok: called.status === 0,
      status: called.status,
      diagnostics,
      log,
      stages: {},
      time: 0,
    };
    if (options.memory && result.ok) result.memory = called.stdout;
    for (const stage of stages) {
      const text = world.text(path(stage));
      if (text !== undefined) result.stages[stage] = text;
    }
    const wasm = world.get(`${OUT}/${stem}.wasm`);
    if (wasm) result.wasm = wasm.slice();
    const texts = { mjs: world.text(`${OUT}/${stem}.mjs`), declarations: world.text(`${OUT}/${stem}.d.mts`) };
    if (texts.mjs !== undefined) Object.assign(result, texts);
    result.time = performance.now() - begin;
    return result;
  }

  /** The type of the name at a place. */
  hover(files: Readonly<Record<string, Data>>, file: string, position: Position): Hover | undefined {
    return questions.hover(this.#send(files), file, position);
  }

  /** The names that may stand at a place. */
  completions(files: Readonly<Record<string, Data>>, file: string, position: Position): Completion[] {
    return questions.completions(this.#send(files), file, position);
  }

  /** Where the name at a place is defined. */
  definition(files: Readonly<Record<string, Data>>, file: string, position: Position): Place | undefined {
    return questions.definition(this.#send(files), file, position);
  }

  /** A file in the form of its language; nothing if it cannot be read. */
  formatted(files: Readonly<Record<string, Data>>, file: string): string | undefined {
    return questions.formatted(this.#send(files), file, new Files(files).text(file) ?? "");
  }

  #send(files: Readonly<Record<string, Data>>): questions.Send {
    return (question) => JSON.parse(this.#enter("cleave_editor", ["cleave"], new Files(files), question).stdout || "null");
  }

  /** Says what is wrong with a program. */
  check(files: Readonly<Record<string, Data>>, main: string, flags: readonly string[] = []): Diagnostic[] {
    return this.compile(files, { main, flags, check: true }).diagnostics;
  }
}

/** Messages, and the lines that are none. */
function messagesOf(stderr: string): { diagnostics: Diagnostic[]; log: string } {
  const diagnostics: Diagnostic[] = [];
  const log = stderr.split("\n").filter((line) => {
    if (!line.startsWith('{"version":')) return true;
    try {
      diagnostics.push(JSON.parse(line) as Diagnostic);
      return false;
    } catch {
      return true;
    }
  });
  return { diagnostics, log: log.join("\n").trim() };
}

/** A world whose output is kept, and whose input can be given later. */
function channels(args: readonly string[], files: Files) {
  const output = { 1: [] as Uint8Array[], 2: [] as Uint8Array[] };
  let rest: Uint8Array = new Uint8Array();
  const world: World = {
    args,
    files,
    read: (to) => {
      const part = rest.subarray(0, to.length);
      to.set(part);
      rest = rest.subarray(part.length);
      return part.length;
    },
    write: (descriptor, bytes) => void output[descriptor].push(bytes.slice()),
  };
  return { world, output, feed: (text: string) => void (rest = new TextEncoder().encode(text)) };
}

function joined(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}

/** An instance of a module under WASI, initialised if it asks for that. */
export function instantiate(module: WebAssembly.Module, world: World): WebAssembly.Exports {
  let memory: WebAssembly.Memory;
  const instance = new WebAssembly.Instance(module, {
    wasi_snapshot_preview1: imports(world, () => memory),
  });
  memory = instance.exports.memory as WebAssembly.Memory;
  (instance.exports._initialize as (() => void) | undefined)?.();
  return instance.exports;
}

/** Makes a compiler of the bytes of `cleave.wasm`, which may be compressed with gzip, or of its module. */
export async function load(
  source: BufferSource | WebAssembly.Module | Response | Promise<Response>,
): Promise<Compiler> {
  const given = await source;
  if (given instanceof WebAssembly.Module) return new Compiler(given);
  let bytes: BufferSource = given instanceof Response ? await contents(given) : given;
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  if (view[0] === 0x1f && view[1] === 0x8b) {
    const stream = new Response(view as BodyInit).body!.pipeThrough(new DecompressionStream("gzip"));
    bytes = await new Response(stream).arrayBuffer();
  }
  return new Compiler(await WebAssembly.compile(bytes));
}

async function contents(response: Response): Promise<ArrayBuffer> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}
