// The panel of the debugger: steps in both directions, calls, variables, output, and the heap.

import type { State, Step } from "../../compiler/src/index.js";
import type { Answer, Command } from "./debug.worker.js";
import { byId, element } from "./dom.js";
import { HeapPicture } from "./heap.js";
import { searchFlags, words, type Project } from "./project.js";
import type { Service } from "./service.js";

/** What the editor does for the debugger. */
export interface Source {
  project: () => Project;
  /** Shows where the program stands; null: nowhere. */
  show: (place: { file: string; line: number; column: number } | null) => void;
  breakpoints: () => [string, number][];
}

/** Steps with buttons of their own, and those that wait for an event. */
const STEPS: [Step, string, string][] = [
  ["into", "Into", "F11: to the next place, into calls"],
  ["over", "Over", "F10: to the next place; calls are one step"],
  ["out", "Out", "Shift F11: until the function has returned"],
  ["end", "Run", "F8: to the next breakpoint, or the end"],
];
const EVENTS: [Step, string][] = [
  ["change", "change of the heap"],
  ["alloc", "allocation"],
  ["write", "overwriting of a cell"],
  ["release", "release of a reference"],
  ["collect", "collection"],
  ["line", "line"],
  ["inst", "instruction of the IR"],
];
const KEYS: Record<string, [Step, boolean]> = {
  F8: ["end", false], "Shift+F8": ["end", true], F10: ["over", false], "Shift+F10": ["over", true],
  F11: ["into", false], "Shift+F11": ["out", false], "Alt+F11": ["into", true],
};
/** Calls that are listed. */
const CALLS = 40;

export class DebugPanel {
  private worker: Worker | undefined;
  private state: State | undefined;
  private busy = false;
  /** Steps that are still to be done, and who waits for the last one. */
  private queue: [Step, boolean][] = [];
  private done: (() => void) | undefined;
  private cells = 300;
  private readonly picture = new HeapPicture();
  private readonly bar = element("div", { class: "debug-bar", role: "toolbar", "aria-label": "Steps" });
  private readonly status = element("div", { class: "status", role: "status", id: "debug-status" });
  private readonly calls = element("ol", { class: "calls" });
  private readonly variables = element("dl", { class: "variables" });
  private readonly noVariables = element("p", { class: "note" }, "none here");
  private readonly output = element("pre", { class: "debug-output", tabindex: 0, "aria-label": "Output so far" });
  private readonly event: HTMLSelectElement;
  private readonly phase: HTMLSelectElement;

  constructor(private readonly service: Service, private readonly source: Source) {
    const phase = (value: string, name: string) => element("option", { value }, name);
    this.phase = element("select", { id: "debug-phase", "aria-label": "What is interpreted", title: "Which IR is interpreted", onchange: () => void this.start() },
      phase("", "as written"), phase("--phase=rooted", "with roots"), phase("--phase=low", "low"));
    const button = (text: string, title: string, id: string, action: () => void) =>
      element("button", { title, id: `debug-${id}`, "aria-label": title, onclick: action }, text);
    this.event = element("select", { "aria-label": "What to wait for" }, ...EVENTS.map(([step, name]) => element("option", { value: step }, name)));
    const back = STEPS.toReversed().map(([step, name, title]) => button(`◂ ${name}`, `back: ${title.replace(/^.*: /, "")}`, `back-${step}`, () => this.step(step, true)));
    const forth = STEPS.map(([step, name, title]) => button(`${name} ▸`, title, step, () => this.step(step)));
    const backEvent = button("◂ Step back", "Step back: to where what is chosen beside happened before", "back-event", () => this.step(this.event.value as Step, true));
    backEvent.classList.add("primary");
    this.bar.append(
      element("div", { class: "group main" }, backEvent, this.event, button("Step ▸", "Step: until what is chosen beside happens", "event", () => this.step(this.event.value as Step))),
      element("div", { class: "group" }, button("Start", "Start anew with the source as it is", "start", () => void this.start()), this.phase),
      element("div", { class: "group" }, ...back), element("div", { class: "group" }, ...forth));
    const many = element("select", { "aria-label": "Cells that are drawn", onchange: () => {
      this.cells = Number(many.value);
      this.look(this.state?.call ?? 0);
    } }, ...[30, 100, 300, 1000].map((count) => element("option", { value: count, selected: count === 300 }, `at most ${count} cells`)));
    this.picture.element.querySelector(".heap-tools")!.append(many);
    byId("panel-debug").append(this.bar, element("div", { class: "debug" }, this.picture.element,
      element("div", { class: "debug-side", tabindex: 0, role: "region", "aria-label": "Variables, calls and output" },
        element("h3", {}, "Variables"), this.variables, this.noVariables, element("h3", {}, "Calls"), this.calls, element("h3", {}, "Output"), this.output,
        this.picture.hiding.element)), this.status);
    byId("panel-debug").addEventListener("keydown", (event) => this.key(event));
    this.enable();
  }

  /** Keys of debuggers, also for the editor. True if it was one. */
  key(event: KeyboardEvent): boolean {
    const name = `${event.altKey ? "Alt+" : ""}${event.shiftKey ? "Shift+" : ""}${event.key}`;
    const found = KEYS[name];
    if (!found || !this.worker) return false;
    event.preventDefault();
    this.step(...found);
    return true;
  }

  get isOn(): boolean {
    return this.worker !== undefined;
  }

  /** Lets go of the program. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.state = undefined;
    this.busy = false;
    this.finish();
    this.source.show(null);
    this.picture.clear();
    this.enable();
  }

  /** Another program: what was shown and hidden belongs to the old one. */
  reset(): void {
    this.stop();
    this.picture.hiding.clear();
    for (const list of [this.variables, this.calls]) list.replaceChildren();
    this.output.textContent = this.status.textContent = "";
  }

  /** Does steps one after the other; starts the program if it is not there, or if that is asked for. */
  go(steps: readonly [Step, boolean][], anew = false): Promise<void> {
    if (anew || !this.worker) void this.start();
    this.finish();
    this.queue = [...steps];
    return new Promise((resolve) => {
      this.done = resolve;
      if (!this.busy) this.next();
    });
  }

  private next(): void {
    const step = this.queue.shift();
    if (step) this.step(...step);
    else this.finish();
  }

  private finish(): void {
    this.queue = [];
    const { done } = this;
    this.done = undefined;
    done?.();
  }

  /** The source is another one: what is shown belongs to the old one. */
  outdated(): void {
    if (this.isOn) this.status.textContent = "The source has changed: Start takes the new one.";
  }

  async start(): Promise<void> {
    this.stop();
    const { files, main, flags, args, input } = this.source.project();
    const worker = new Worker(new URL("debug.worker.js", document.baseURI), { type: "module", name: "debugger" });
    this.worker = worker;
    this.busy = true;
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.answer(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop();
      this.status.textContent = `The debugger was lost: ${event.message}`;
    };
    worker.postMessage(this.service.module);
    // The debugger shows what the source says: it optimises nothing.
    const given = words(flags);
    const own = [...given.filter((flag) => /^--(?:memory|reuse|fip|print)/.test(flag)), ...searchFlags(given)];
    if (this.phase.value) own.push(this.phase.value);
    this.status.textContent = "compiling …";
    this.status.dataset.state = "";
    const prepared = await this.service.prepare({ ...files }, main, given);
    if (this.worker !== worker) return;
    if (!prepared.ok) return this.answer({ kind: "failed", diagnostics: prepared.diagnostics, log: prepared.log });
    const options = { main: prepared.main, flags: own, args: words(args), input };
    this.post({ kind: "start", files: prepared.files, options, breakpoints: this.source.breakpoints() });
  }

  step(step: Step, backward = false): void {
    if (!this.worker) return void this.start();
    this.send({ kind: "step", step, backward });
  }

  breakpoint(file: string, line: number, set: boolean): void {
    if (this.worker) this.send({ kind: "breakpoint", file, line, set });
  }

  private look(call: number): void {
    if (this.worker) this.send({ kind: "look", call, cells: this.cells });
  }

  private send(command: Command): void {
    if (!this.busy) this.post(command);
  }

  private post(command: Command): void {
    this.busy = true;
    this.worker!.postMessage(command);
    this.enable();
  }

  private answer(answer: Answer): void {
    this.busy = false;
    if (answer.kind === "failed") {
      this.stop();
      const first = answer.diagnostics.find(({ level }) => level === "error")?.message;
      this.status.textContent = `not started: ${first ?? answer.log}`;
      this.status.dataset.state = "bad";
      return;
    }
    if (answer.kind === "error") {
      this.stop();
      this.status.textContent = answer.message;
      this.status.dataset.state = "bad";
      return;
    }
    this.status.dataset.state = "";
    this.show(answer.state);
    this.enable();
    this.next();
  }

  private enable(): void {
    for (const button of this.bar.querySelectorAll("button")) {
      button.disabled = button.id !== "debug-start" && (this.busy || !this.worker);
    }
  }

  private show(state: State): void {
    const old = this.state;
    this.state = state;
    this.picture.show(state);
    const here = state.calls[state.call];
    this.source.show(here?.file && here.line ? { file: here.file, line: here.line, column: here.column ?? 1 } : null);
    const before = new Map(old?.variables.map(({ name, text }) => [name, text]));
    this.variables.replaceChildren(...state.variables.flatMap(({ name, text }) => {
      const isNew = old !== undefined && before.get(name) !== text;
      return [element("dt", {}, name), element("dd", { class: isNew ? "new" : "" }, text)];
    }));
    this.variables.hidden = state.variables.length === 0;
    this.noVariables.hidden = !this.variables.hidden;
    this.calls.replaceChildren(...state.calls.slice(0, CALLS).map((call, number) => element("li", {},
      element("button", { class: "plain", "aria-current": number === state.call ? "true" : undefined, onclick: () => this.look(number) },
        call.function, element("span", { class: "place" }, call.line === null ? "" : `${call.file}:${call.line}`)))));
    if (state.depth > CALLS) this.calls.append(element("li", { class: "note" }, `and ${(state.depth - CALLS).toLocaleString("en")} more`));
    this.output.textContent = state.stdout + state.stderr || "(nothing yet)";
    this.output.scrollTop = this.output.scrollHeight;
    this.status.textContent = this.summary(state);
  }

  private summary(state: State): string {
    const parts: string[] = [];
    if (state.ended) parts.push(`ended with status ${state.ended.status}${state.ended.message ? `: ${state.ended.message}` : ""}`);
    else if (state.stop === "limit") parts.push("still running: Run goes on");
    else if (state.stop === "beginning") parts.push("at the beginning");
    else if (state.stop === "breakpoint") parts.push("at a breakpoint");
    parts.push(`time ${state.time.toLocaleString("en")}`);
    const counted = new Map<string, number>();
    for (const { kind } of state.events) counted.set(kind, (counted.get(kind) ?? 0) + 1);
    for (const [kind, count] of counted) parts.push(count === 1 ? kind : `${kind} ${count} times`);
    parts.push(state.cells.length === 1 ? "1 cell" : `${state.cells.length}${state.cut ? "+" : ""} cells`);
    if (state.collections > 0) parts.push(state.collections === 1 ? "1 collection" : `${state.collections} collections`);
    if (state.instruction) parts.push(state.instruction);
    return parts.join(" · ");
  }
}
