// The list of what is wrong, below the editor.

import type { About, Result } from "../../compiler/src/index.js";
import { byId, element } from "./dom.js";

export class Problems {
  about: About | undefined;

  constructor(private readonly go: (file: string, line: number, column: number) => void) {}

  show({ diagnostics, log, ok }: Result): void {
    const rows = diagnostics.map((diagnostic) => {
      const span = diagnostic.spans.find(({ primary }) => primary) ?? diagnostic.spans[0];
      const known = this.about?.codes.find(({ code }) => code === diagnostic.code);
      const place = span && `${span.file}:${span.line}:${span.column}`;
      return element("button", {
        class: `problem ${diagnostic.level}`,
        title: known ? `${known.code}: ${known.title}\n\n${known.explanation}` : "",
        onclick: () => span && this.go(span.file, span.line, span.column),
      },
        element("b", {}, diagnostic.code || diagnostic.level), " ", diagnostic.message,
        place !== undefined && element("span", { class: "place" }, place),
        ...diagnostic.help.map((help) => element("span", { class: "help" }, `help: ${help}`)));
    });
    if (log && !ok) rows.push(element("button", { class: "problem error" }, log));
    const list = byId("problems");
    list.replaceChildren(...rows);
    list.hidden = rows.length === 0;
  }
}
