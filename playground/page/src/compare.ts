// The same program with two settings: how large, how fast, how much memory.

import type { Result } from "../../compiler/src/index.js";
import { countCells, type Cells } from "./count.js";
import { byId, bytesText, element, timeText } from "./dom.js";
import { searchFlags, words, type Project } from "./project.js";
import { Run, type End } from "./runner.js";
import type { Service } from "./service.js";

interface Measured {
  result: Result;
  end: End;
  /** The shortest of the runs. */
  ran: number;
  output: string;
  cells: Cells | undefined;
}

interface Row {
  name: string;
  of: (measured: Measured) => number | undefined;
  text: (value: number) => string;
}

const RUNS = 5;
const plain = (value: number) => value.toLocaleString("en");
const ROWS: Row[] = [
  { name: "run time", of: ({ ran }) => ran, text: timeText },
  // On the reference-counted heap it is cells that are counted.
  { name: "allocated", of: ({ end }) => end.statistics?.allocated || undefined, text: bytesText },
  { name: "cells allocated", of: ({ cells }) => cells?.allocated, text: plain },
  { name: "cells used again", of: ({ cells }) => cells?.reused, text: plain },
  { name: "references retained", of: ({ cells }) => cells?.retained, text: plain },
  { name: "copied by collections", of: ({ end }) => end.statistics?.copied, text: bytesText },
  { name: "collections", of: ({ end }) => end.statistics?.collections, text: plain },
  { name: "heap at most", of: ({ end }) => end.statistics?.peak, text: bytesText },
  { name: "memory", of: ({ end }) => end.memory, text: bytesText },
  { name: "size of the program", of: ({ result }) => result.wasm?.length, text: bytesText },
  { name: "compile time", of: ({ result }) => result.time, text: timeText },
];

/** Pairs that are worth a look: a name, and the flags of both. */
const PAIRS: [string, string, string][] = [
  ["Optimised or not", "-O2", "-O0"],
  ["Counted or traced memory", "--memory=rc", "--memory=gc"],
  ["Cells used again (fip) or not", "--memory=rc --reuse=all", "--memory=rc --reuse=none"],
  ["Roots placed late or at each call", "--roots=late", "--roots=each-call"],
  ["With inlining or without", "", "--no-inline"],
];

export class Compare {
  private readonly flags: [HTMLInputElement, HTMLInputElement];
  private readonly button: HTMLButtonElement;
  private readonly status = element("div", { class: "status", role: "status" });
  private readonly chart = element("div", { class: "chart", tabindex: 0, role: "region", "aria-label": "Results of the comparison" });
  private readonly pairs: HTMLSelectElement;
  private run: Run | undefined;
  private running = false;

  constructor(private readonly service: Service, private readonly project: () => Project) {
    const field = (label: string, value: string) => element("input", { "aria-label": label, value, spellcheck: "false", autocapitalize: "off" });
    this.flags = [field("Flags of A", "-O2"), field("Flags of B", "-O0")];
    const choose = this.pairs = element("select", {
      "aria-label": "Settings to compare",
      onchange: () => this.fill(),
    }, ...PAIRS.map(([name], index) => element("option", { value: index }, name)));
    this.button = element("button", { class: "primary", id: "compare", onclick: () => void this.toggle() }, "Compare");
    byId("panel-compare").append(
      element("div", { class: "compare-form" }, choose,
        element("label", {}, element("b", { class: "a" }, "A"), this.flags[0]),
        element("label", {}, element("b", { class: "b" }, "B"), this.flags[1]),
        this.button),
      this.chart, this.status);
    this.status.textContent = `Both are run ${RUNS} times in turn; the shortest time counts.`;
  }

  private fill(): void {
    const pair = PAIRS[Number(this.pairs.value)]!;
    this.flags.forEach((input, index) => (input.value = pair[1 + index]!));
  }

  /** Compares a pair of settings, by its number. */
  start(pair: number): void {
    if (this.running || !PAIRS[pair]) return;
    this.pairs.value = String(pair);
    this.fill();
    void this.toggle();
  }

  private async toggle(): Promise<void> {
    if (this.running) {
      this.running = false;
      this.run?.stop();
      return;
    }
    this.running = true;
    this.button.textContent = "Stop";
    try {
      await this.measure();
    } catch (error) {
      this.status.textContent = error instanceof Error ? error.message : String(error);
    }
    this.running = false;
    this.button.textContent = "Compare";
  }

  private async measure(): Promise<void> {
    const project = structuredClone(this.project());
    const results: Result[] = [];
    for (const [index, input] of this.flags.entries()) {
      this.status.textContent = `compiling ${"AB"[index]} …`;
      const result = await this.service.compile(project.files, { main: project.main, flags: ["--rts-options", ...words(input.value), ...searchFlags(words(project.flags))] });
      const error = result.diagnostics.find(({ level }) => level === "error")?.message ?? result.log;
      if (!result.wasm) throw new Error(`${"AB"[index]} is not compiled: ${error}`);
      results.push(result);
    }
    const modules = await Promise.all(results.map(({ wasm }) => WebAssembly.compile(wasm!)));
    const measured: (Measured | undefined)[] = [undefined, undefined];
    for (let round = 0; round < RUNS; round++) {
      for (const [index, result] of results.entries()) {
        if (!this.running) throw new Error("stopped");
        this.status.textContent = `round ${round + 1} of ${RUNS}`;
        let output = "";
        this.run = new Run({ wasm: modules[index]!, args: words(project.args), input: project.input, files: project.files }, { output: (text) => (output += text) });
        const end = await this.run.ended;
        if (!end) throw new Error("stopped");
        const before = measured[index];
        measured[index] = { result, end, output, cells: before?.cells, ran: Math.min(before?.ran ?? Infinity, end.ran) };
      }
    }
    for (const [index, one] of measured.entries()) {
      if (!this.running) throw new Error("stopped");
      this.status.textContent = `counting cells of ${"AB"[index]} …`;
      if (!one!.end.statistics?.allocated) one!.cells = await countCells(this.service, project, words(this.flags[index]!.value));
    }
    this.draw(measured as [Measured, Measured]);
  }

  private draw([a, b]: [Measured, Measured]): void {
    const rows = ROWS.flatMap(({ name, of, text }) => {
      const values = [of(a), of(b)];
      if (values.some((value) => value === undefined) || values.every((value) => value === 0)) return [];
      const [left, right] = values as [number, number];
      const most = Math.max(left, right);
      const bar = (value: number, kind: string) => element("div", { class: "bar-row" },
        element("span", { class: `bar-fill ${kind}`, style: `width:${Math.max(0.5, (60 * value) / most)}%` }),
        element("span", { class: "bar-text" }, text(value)));
      const ratio = left > 0 && right > 0 ? `B ÷ A = ${(right / left).toFixed(2)}` : "";
      return [element("div", { class: "measure" }, element("h3", {}, name, " ", element("span", { class: "note" }, ratio)), bar(left, "a"), bar(right, "b"))];
    });
    this.chart.replaceChildren(...rows);
    const same = a.output === b.output && a.end.status === b.end.status;
    this.status.textContent = same ? "Both printed the same." : "They did not print the same.";
    this.status.dataset.state = same ? "good" : "bad";
  }
}
