// What a program does with the cells of the reference-counted heap. A program that is built to count them is slower, so that this
// is a run of its own, whose output nobody sees.

import { Run } from "./runner.js";
import { searchFlags, words, type Project } from "./project.js";
import type { Service } from "./service.js";

export interface Cells {
  allocated: number;
  reused: number;
  freed: number;
  retained: number;
  /** The whole table, as the program prints it. */
  table: string;
}

/** Milliseconds that the run may take. */
const PATIENCE = 10_000;

/** Nothing if the program is on another heap, or takes too long. */
export async function countCells(service: Service, project: Project, flags: readonly string[]): Promise<Cells | undefined> {
  const { files, main } = project;
  const all = ["--rts-options", ...flags, ...searchFlags(words(project.flags)), "--count-cells"];
  const { wasm } = await service.compile({ ...files }, { main, flags: all });
  if (!wasm) return undefined;
  let table = "";
  const run = new Run({ wasm, args: words(project.args), input: project.input, files }, { output: (text, descriptor) => void (descriptor === 2 && (table += text)) });
  const timer = setTimeout(() => run.stop(), PATIENCE);
  await run.ended;
  clearTimeout(timer);
  const number = (what: string) => Number(new RegExp(`^ *(\\d+)  ${what}`, "m").exec(table)?.[1] ?? NaN);
  const [allocated, reused, freed, retained] = ["cells allocated", "cells reused", "cells freed", "references retained"].map(number) as [number, number, number, number];
  return Number.isNaN(allocated) ? undefined : { allocated, reused, freed, retained, table: table.trimEnd() };
}
