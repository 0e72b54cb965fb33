// What a first visit shows, the stops of the tour, and what the buttons of walkthroughs do.

import type { Step } from "../../compiler/src/index.js";
import type { Act } from "./guide.js";
import type { Stop } from "./tour.js";

/** The example that a first visit opens. */
export const WELCOME = "goo/reverse";

export const STOPS: readonly Stop[] = [
  {
    view: "debug", target: "#panel-debug", title: "Functional programs, compiled in this page",
    text: "This one has run. It turned a list around, and the picture is its memory: a box for each cell, with the number of references to it. "
      + "There is no server; the compiler is in the page.",
  },
  {
    view: "run", target: "#left", title: "Edit and run",
    text: "Change a number in the last line and press Run, or Ctrl Enter. What is wrong is told while you type. "
      + "The line below the output says what the program did with memory.",
  },
  {
    view: "debug", target: "#debug-back-event", title: "Step back",
    text: "Under Debug a program goes forwards and backwards. Each step back undoes one change of the heap: "
      + "watch the cells turn around again, each written over a dead one, so that no memory is needed.",
  },
  {
    view: "stages", target: "#stages", title: "What the compiler makes of it",
    text: "Stages shows two texts side by side: the IR after any pass, or WebAssembly. Lines that differ are marked, "
      + "and a click on a line shows which line of the source it came from.",
  },
  {
    view: "run", target: "#examples", title: "Other languages, and sharing",
    text: "Examples has programs in GOOPEA, samlang, Clean and IR; what you wrote stays in that list. "
      + "Share copies a link that holds the whole program. Docs explains the languages.",
  },
];

export interface Reactions {
  run: () => void;
  open: (view: string) => void;
  steps: (steps: [Step, boolean][], anew: boolean) => void;
  stages: (left: string, right: string) => void;
  compare: (pair: number) => void;
  docs: (name: string) => void;
  line: (line: number) => void;
  memory: () => void;
}

/** A word for a step of the debugger, as `change`, `back-write` or `alloc*3`. */
function stepsOf(word: string): [Step, boolean][] {
  const [name, times = "1"] = word.split("*") as [string, string?];
  const backward = name.startsWith("back-");
  const step: [Step, boolean] = [name.replace("back-", "") as Step, backward];
  return Array.from({ length: Number(times) }, () => step);
}

/**
 * What a button asks for: `run`, `line:7`, `memory`, `stages:build,ir`, `compare:2`, `docs:memory`, or steps of the debugger, as
 * `debug:start,end,back-change*2`; the program is started where it is not there.
 */
export function actions(react: Reactions): Act {
  return (word, rest) => {
    const parts = rest.split(",").filter(Boolean);
    if (word === "run") react.run();
    else if (word === "line") react.line(Number(rest));
    else if (word === "memory") react.memory();
    else if (word === "debug") {
      react.open("debug");
      const anew = parts[0] === "start";
      react.steps(parts.slice(anew ? 1 : 0).flatMap(stepsOf), anew);
    } else if (word === "stages") {
      react.open("stages");
      react.stages(parts[0]!, parts[1]!);
    } else if (word === "compare") {
      react.open("compare");
      react.compare(Number(rest));
    } else if (word === "docs") {
      react.open("docs");
      react.docs(rest);
    }
  };
}
