// Clean's own compiler, which makes .abc files of Clean sources. It is no part of the page: it is used if it lies beside
// it, or if somebody drops it here; then it is kept for the next visit.

import type { Diagnostic } from "../../compiler/src/index.js";
import type { Reply, Request } from "./clean.worker.js";

/** Its file, as a program for WASI. */
export const COMPILER = "cocl.wasm";
const CACHE = "cleave.clean";

/** A program without sources of Clean, or what is wrong with it. */
export interface Prepared {
  files: Record<string, string>;
  main: string;
  diagnostics: Diagnostic[];
  log: string;
  ok: boolean;
}

export class Clean {
  private module: Promise<WebAssembly.Module | undefined> | undefined;
  private worker: Worker | undefined;
  private waiting = new Map<number, (reply: Reply | string) => void>();
  private next = 0;

  /** Takes the compiler, for this visit and the next ones. */
  async use(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const module = await WebAssembly.compile(bytes);
    this.cancel("another compiler was dropped");
    this.module = Promise.resolve(module);
    try {
      await (await caches.open(CACHE)).put(COMPILER, new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
    } catch {
      // Then it is there until the page is closed.
    }
  }

  private async find(): Promise<WebAssembly.Module | undefined> {
    try {
      const kept = await (await caches.open(CACHE)).match(COMPILER);
      const found = kept ?? (await fetch(new URL(COMPILER, document.baseURI)));
      return found.ok ? await WebAssembly.compile(await found.arrayBuffer()) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Gives up what is asked for. */
  cancel(why = "cancelled"): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const resolve of this.waiting.values()) resolve(why);
    this.waiting.clear();
  }

  /** Makes the .abc files of a program whose main module is a source of Clean; other programs are as they were. */
  async prepare(files: Record<string, string>, main: string, flags: readonly string[]): Promise<Prepared> {
    if (!main.endsWith(".icl")) return { files, main, diagnostics: [], log: "", ok: true };
    this.module ??= this.find();
    const module = await this.module;
    if (!module) {
      this.module = undefined;
      const log = `Sources of Clean need Clean's compiler: drop ${COMPILER} on the page, or put it beside the page. Without it choose the .abc file as the main file.`;
      return { files, main, diagnostics: [], log, ok: false };
    }
    const folders = flags.flatMap((flag, index) => (flags[index - 1] === "-L" ? [flag] : []));
    const reply = await this.translate(module, { id: this.next++, files, main, folders });
    if (typeof reply === "string") return { files, main, diagnostics: [], log: reply, ok: false };
    const { made, diagnostics, log } = reply;
    const ok = main.replace(/([^/]+)\.icl$/, "Clean System Files/$1.abc") in made && diagnostics.every(({ level }) => level !== "error");
    return { files: { ...files, ...made }, main: main.replace(/\.icl$/, ""), diagnostics, log: ok ? "" : log, ok };
  }

  private translate(module: WebAssembly.Module, request: Request): Promise<Reply | string> {
    return new Promise((resolve) => {
      if (!this.worker) {
        const worker = new Worker(new URL("clean.worker.js", document.baseURI), { type: "module", name: "clean" });
        worker.onmessage = ({ data }: MessageEvent<Reply>) => {
          this.waiting.get(data.id)?.(data);
          this.waiting.delete(data.id);
        };
        worker.onerror = (event) => {
          event.preventDefault();
          this.cancel(event.message || "the worker of Clean's compiler was lost");
        };
        worker.postMessage(module);
        this.worker = worker;
      }
      this.waiting.set(request.id, resolve);
      this.worker.postMessage(request);
    });
  }
}
