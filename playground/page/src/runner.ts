// Runs a program in a worker of its own, which can be stopped at any time.

import type { Message, Task } from "./run.worker.js";

export type End = Extract<Message, { kind: "end" }>;

export interface Watcher {
  output?: (text: string, descriptor: 1 | 2) => void;
  progress?: (bytes: number) => void;
}

export class Run {
  readonly ended: Promise<End | undefined>;
  private readonly worker: Worker;
  private finish!: (end: End | undefined) => void;

  constructor(task: Task, watcher: Watcher = {}) {
    this.ended = new Promise((resolve) => (this.finish = resolve));
    this.worker = new Worker(new URL("run.worker.js", document.baseURI), { type: "module", name: "program" });
    this.worker.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === "output") watcher.output?.(data.text, data.descriptor);
      else if (data.kind === "progress") watcher.progress?.(data.bytes);
      else this.stop(data);
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      const message = `The program's worker was lost${event.message ? `: ${event.message}` : ""}.`;
      this.stop({ kind: "end", status: 134, message, tail: "", bytes: 0, loaded: 0, ran: 0, memory: 0 });
    };
    this.worker.postMessage(task);
  }

  /** Ends it. Without an end it was stopped by the visitor. */
  stop(end?: End): void {
    this.worker.terminate();
    this.finish(end);
  }
}
