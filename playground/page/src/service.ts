// The compiler for the page: requests to its worker, which is replaced if it is lost or takes too long.

import { load, type About, type Completion, type Hover, type Options, type Place, type Position, type Result } from "../../compiler/src/index.js";
import { Clean, type Prepared } from "./clean.js";
import type { Reply, Request } from "./compiler.worker.js";
import { FrontEnds } from "./front-ends.js";

/** The worker was given up: by `cancel`, or because it failed. */
export class Lost extends Error {}

interface Waiting {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

export class Service {
  /** What the compiler says of itself: since `start`. */
  about!: About;
  readonly clean = new Clean();
  readonly frontEnds = new FrontEnds();
  private worker: Worker | undefined;
  private waiting = new Map<number, Waiting>();
  private next = 0;

  private constructor(readonly module: WebAssembly.Module) {}

  /** Loads the compiler, which lies beside the page. Instances are made by workers alone: of modules of more than 8 MiB
   * Chromium makes none at once on the page's own thread. */
  static async start(): Promise<Service> {
    const compiler = await load(fetch(new URL("cleave.wasm.gz", document.baseURI)));
    const service = new Service(compiler.module);
    const [about] = await Promise.all([
      service.request<About>({ id: service.next++, kind: "about" }),
      service.frontEnds.load(),
    ]);
    service.about = about;
    return service;
  }

  /** What the compiler can read of a program, which others may have to make first: Clean's compiler, other front ends. */
  async prepare(files: Record<string, string>, main: string, flags: readonly string[]): Promise<Prepared> {
    const { frontEnds, clean } = this;
    return main.endsWith(".icl") ? clean.prepare(files, main, flags) : frontEnds.prepare(files, main, flags);
  }

  /** Compiles a program. */
  async compile(files: Record<string, string>, options: Options): Promise<Result> {
    const begin = performance.now();
    const prepared = await this.prepare(files, options.main, options.flags ?? []);
    const { diagnostics, log } = prepared;
    if (!prepared.ok) return { ok: false, status: 1, diagnostics, log, stages: {}, time: performance.now() - begin };
    const between = performance.now();
    const result = await this.request<Result>({ id: this.next++, kind: "compile", files: prepared.files, options: { ...options, main: prepared.main } });
    return { ...result, diagnostics: [...diagnostics, ...result.diagnostics], time: result.time + between - begin };
  }

  hover(files: Record<string, string>, file: string, position: Position): Promise<Hover | undefined> {
    return this.request({ id: this.next++, kind: "hover", files, file, position });
  }

  completions(files: Record<string, string>, file: string, position: Position): Promise<Completion[]> {
    return this.request({ id: this.next++, kind: "completions", files, file, position });
  }

  definition(files: Record<string, string>, file: string, position: Position): Promise<Place | undefined> {
    return this.request({ id: this.next++, kind: "definition", files, file, position });
  }

  formatted(files: Record<string, string>, file: string): Promise<string | undefined> {
    return this.request({ id: this.next++, kind: "formatted", files, file });
  }

  /** True while a request is not answered. */
  get isBusy(): boolean {
    return this.waiting.size > 0;
  }

  /** Gives up what is asked for. */
  cancel(why = "cancelled"): void {
    this.clean.cancel(why);
    this.frontEnds.cancel(why);
    this.worker?.terminate();
    this.worker = undefined;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of lost) reject(new Lost(why));
  }

  private request<T>(request: Request): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(request.id, { resolve: resolve as (result: never) => void, reject });
      this.ready().postMessage(request);
    });
  }

  private ready(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(new URL("compiler.worker.js", document.baseURI), { type: "module", name: "compiler" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ("error" in data) waiting?.reject(new Lost(data.error));
      else waiting?.resolve(data.result as never);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.cancel(event.message || "the compiler's worker was lost");
    };
    worker.postMessage(this.module);
    this.worker = worker;
    return worker;
  }
}
