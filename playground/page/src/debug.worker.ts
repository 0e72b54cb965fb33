// The worker of the debugger: it holds one program, and answers with its state.

import { Compiler, type Debugger, type DebugOptions, type Diagnostic, type State, type Step } from "../../compiler/src/index.js";

export type Command =
  | { kind: "start"; files: Record<string, string>; options: DebugOptions; breakpoints: [string, number][] }
  | { kind: "step"; step: Step; backward: boolean }
  | { kind: "time"; time: number }
  | { kind: "breakpoint"; file: string; line: number; set: boolean }
  | { kind: "look"; call: number; cells: number };

export type Answer =
  | { kind: "state"; state: State }
  | { kind: "failed"; diagnostics: Diagnostic[]; log: string }
  | { kind: "error"; message: string };

let compiler: Compiler;
let program: Debugger | undefined;

function obey(command: Command): Answer {
  if (command.kind === "start") {
    const { debugger: started, diagnostics, log } = compiler.debug(command.files, command.options);
    program = started;
    if (!program) return { kind: "failed", diagnostics, log };
    for (const [file, line] of command.breakpoints) setBreakpoint(program, file, line);
    return { kind: "state", state: program.state };
  }
  if (!program) throw new Error("there is no program");
  if (command.kind === "step") program.step(command.step, command.backward);
  else if (command.kind === "time") program.goTo(command.time);
  else if (command.kind === "look") program.look(command.call, command.cells);
  else if (command.set) setBreakpoint(program, command.file, command.line);
  else {
    const known = program.state.breakpoints.find(({ file, line }) => file === command.file && line === command.line);
    if (known) program.clear(known.number);
  }
  return { kind: "state", state: program.state };
}

function setBreakpoint(to: Debugger, file: string, line: number): void {
  try {
    to.stopAt(file, line);
  } catch {
    // The file is not of this program.
  }
}

self.onmessage = ({ data }: MessageEvent<WebAssembly.Module | Command>) => {
  if (data instanceof WebAssembly.Module) {
    compiler = new Compiler(data);
    return;
  }
  let answer: Answer;
  try {
    answer = obey(data);
  } catch (error) {
    answer = { kind: "error", message: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(answer);
};
