// A program under the debugger: steps forwards and backwards, and what its memory looks like.

/** A value: a text, and the address of the cell that it refers to. */
export interface Value {
  text: string;
  cell: number | null;
}

/** A function that has begun and not ended. The place is null where the source is not known. */
export interface Call {
  function: string;
  file: string | null;
  line: number | null;
  column: number | null;
}

/** An object in memory. */
export interface Cell {
  address: number;
  kind: "node" | "thunk" | "blackhole" | "indirection" | "basic" | "string" | "array" | "free";
  /** The constructor; for thunks the function that they wait for. */
  name: string;
  /** How many references there are to it, on the reference-counted heap. */
  count: number | null;
  /** A variable leads to it. Other cells live, too: results on their way, and what a program leaves when it ends. */
  named: boolean;
  /** It belongs to the text of the program. */
  static: boolean;
  fields: Value[];
  /** Of strings and numbers. */
  text: string | null;
  /** Fields that are not listed. */
  more: number;
}

/** The state of a program. */
export interface State {
  stop: "stepped" | "breakpoint" | "ended" | "beginning" | "limit";
  /** Instructions before this state; it names the state. */
  time: number;
  ended: { status: number; message: string } | null;
  depth: number;
  /** The innermost calls, the innermost first; `depth` may be larger. */
  calls: Call[];
  /** The call whose variables are listed. */
  call: number;
  variables: (Value & { name: string })[];
  instruction: string;
  /** Variables that refer to cells; those of constants belong to no call. */
  roots: { name: string; call: number | null; cell: number }[];
  cells: Cell[];
  /** There are more cells than are listed. */
  cut: boolean;
  /** What the last instruction did. */
  events: { kind: "allocated" | "reused" | "freed" | "retained" | "released" | "wrote" | "collected"; cell: number | null }[];
  collections: number;
  breakpoints: { number: number; file: string | null; line: number | null }[];
  stdout: string;
  stderr: string;
}

/** How far a step goes. */
export type Step =
  | "inst" | "into" | "over" | "line" | "out" | "alloc" | "release" | "write" | "change" | "collect" | "end";

/** A program that stands still. */
export class Debugger {
  constructor(public state: State, private readonly send: (line: string) => string) {}

  /** Goes on, or back to where such a step ended before. */
  step(step: Step, backward = false, times = 1): State {
    return this.command(`${backward ? "backward" : "forward"} ${step} ${times}`);
  }

  /** Goes to the state of a time. */
  goTo(time: number): State {
    return this.command(`time ${time}`);
  }

  /** Sets a breakpoint on a line, or the next one that has code. */
  stopAt(file: string, line: number): State {
    return this.command(`break ${line} ${file}`);
  }

  /** Takes a breakpoint away. */
  clear(number: number): State {
    return this.command(`clear ${number}`);
  }

  /** Looks at another call, and at so many cells. */
  look(call: number, cells: number): State {
    return this.command(`state ${call} ${cells}`);
  }

  private command(line: string): State {
    const answer = JSON.parse(this.send(line)) as State | { error: string };
    if ("error" in answer) throw new Error(answer.error);
    return (this.state = answer);
  }
}
