// The panel that runs the program: output as it comes, and numbers at the end.

import type { Result } from "../../compiler/src/index.js";
import type { Cells } from "./count.js";
import { byId, bytesText, element, timeText } from "./dom.js";
import type { Project } from "./project.js";
import { words } from "./project.js";
import { Run, type End } from "./runner.js";

/** So much text is in the document at most. */
const SHOWN = 400_000;

export class RunPanel {
  private current: Run | undefined;
  private shown = 0;
  private follows = false;

  constructor(private readonly changed: (running: boolean) => void) {}

  get isRunning(): boolean {
    return this.current !== undefined;
  }

  stop(): void {
    this.current?.stop();
  }

  /** Shows that something goes on, before there is a program. */
  clear(text: string): void {
    byId("output").replaceChildren();
    this.shown = 0;
    this.status(text);
  }

  status(text: string, state: "" | "good" | "bad" = ""): void {
    const status = byId("run-status");
    status.textContent = text;
    status.dataset.state = state;
    status.title = "";
  }

  async start(result: Result, project: Project): Promise<End | undefined> {
    this.clear("running …");
    const task = {
      wasm: result.wasm!.slice(),
      args: words(project.args),
      input: project.input,
      files: project.files,
    };
    const run = new Run(task, {
      output: (text, descriptor) => this.add(text, descriptor === 2 ? "err" : ""),
      progress: (bytes) => this.status(`running … ${bytesText(bytes)} printed`),
    });
    this.current = run;
    this.changed(true);
    const end = await run.ended;
    this.current = undefined;
    this.changed(false);
    if (!end) {
      this.add("\n", "");
      this.status("stopped", "bad");
      return end;
    }
    if (end.tail) {
      this.add(`\n… ${bytesText(end.bytes)} altogether; the end is\n`, "note");
      this.add(end.tail, "");
    }
    if (end.message) this.add(`${end.message.trimEnd()}\n`, "err");
    if (end.bytes === 0 && !end.message) this.add("(nothing was printed)\n", "note");
    this.status(summary(result, end), end.status === 0 ? "good" : "bad");
    return end;
  }

  /** Adds to the line about the run what happened to its cells, unless it is about another run by then. */
  async count(counting: Promise<Cells | undefined>): Promise<void> {
    const line = byId("run-status").textContent;
    const cells = await counting;
    if (!cells?.allocated || byId("run-status").textContent !== line) return;
    const [allocated, reused, freed] = [cells.allocated, cells.reused, cells.freed].map((count) => count.toLocaleString("en"));
    this.status(`${line} · ${allocated} cells allocated, ${reused} reused, ${freed} freed`, "good");
    byId("run-status").title = cells.table;
  }

  add(text: string, kind: "" | "err" | "note"): void {
    const output = byId("output");
    const room = Math.max(0, SHOWN - this.shown);
    if (room === 0) return;
    this.shown += text.length;
    output.append(element("span", { class: kind }, text.slice(0, room)));
    this.follow();
  }

  /** Scrolls to the end with the next picture. */
  private follow(): void {
    if (this.follows) return;
    this.follows = true;
    requestAnimationFrame(() => {
      this.follows = false;
      const output = byId("output");
      output.scrollTop = output.scrollHeight;
    });
  }
}

/** One line about a run. */
function summary(result: Result, end: End): string {
  const parts = [
    end.status === 0 ? "ended" : `ended with status ${end.status}`,
    `compiled in ${timeText(result.time)}`,
    `ran ${timeText(end.ran)}`,
    `program ${bytesText(result.wasm?.length ?? 0)}`,
    `memory ${bytesText(end.statistics?.peak || end.memory)}`,
  ];
  if (end.statistics) {
    const { collections, allocated } = end.statistics;
    if (allocated > 0) parts.push(`${bytesText(allocated)} allocated`);
    if (collections > 0) parts.push(collections === 1 ? "1 collection" : `${collections} collections`);
  }
  return parts.join(" · ");
}
