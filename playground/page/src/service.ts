// The compiler for the page: requests to its worker, which is replaced if it is lost or takes too long.

import { Compiler, load, type About, type Options, type Result } from "../../compiler/src/index.js";
import type { Reply, Request } from "./compiler.worker.js";

/** The worker was given up: by `cancel`, or because it failed. */
export class Lost extends Error {}

interface Waiting {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

export class Service {
  readonly about: About;
  private worker: Worker | undefined;
  private waiting = new Map<number, Waiting>();
  private next = 0;

  private constructor(readonly module: WebAssembly.Module) {
    this.about = new Compiler(module).about;
  }

  /** Loads the compiler, which lies beside the page. */
  static async start(): Promise<Service> {
    const compiler = await load(fetch(new URL("cleave.wasm.gz", document.baseURI)));
    return new Service(compiler.module);
  }

  compile(files: Record<string, string>, options: Options): Promise<Result> {
    return this.request({ id: this.next++, kind: "compile", files, options });
  }

  call(args: string[], files: Record<string, string> = {}): Promise<{ status: number; stdout: string; stderr: string }> {
    return this.request({ id: this.next++, kind: "call", args, files });
  }

  /** True while a request is not answered. */
  get isBusy(): boolean {
    return this.waiting.size > 0;
  }

  /** Gives up what is asked for. */
  cancel(why = "cancelled"): void {
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
      waiting?.resolve(data.result as never);
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
