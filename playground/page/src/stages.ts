// Two stages of the pipeline side by side, with the lines that differ marked.

import { EditorView } from "@codemirror/view";
import type { Result } from "../../compiler/src/index.js";
import { picture } from "./call-graph.js";
import { Lost, type Service } from "./service.js";
import { difference } from "./diff.js";
import { announce, byId, bytesText, download, element } from "./dom.js";
import { reader, readerState } from "./editor.js";
import { titleOf } from "./languages.js";
import { changes, linesFrom, links, withoutOrigins, type Origin } from "./links.js";
import { words, type Project } from "./project.js";

const SOURCE = "source";
const CALLS = "calls";
/** Stages that are no IR: their texts have endings of their own, and are not compared line by line. */
const OTHERS: Record<string, string> = { source: "txt", tree: "tree", calls: "txt", wat: "wat" };
/** The code of what belongs to other flags. */
const NOT_THERE = "E0906";
/** The text of a program without the run-time system, which is the same in all programs. */
function ownPart(wat: string): string {
  const kept: string[] = [];
  let inRuntime = false;
  let left = 0;
  for (const line of wat.split("\n")) {
    if (/^ {2}\(/.test(line)) inRuntime = /^ {2}\(func \$(?:rt_|cleave_rt|core::|compiler_builtins|libm|mem(?:cpy|set|move))/.test(line) || /^ {2}\(data/.test(line);
    if (inRuntime) left++;
    else kept.push(line);
  }
  if (left > 0) kept.splice(1, 0, `  ;; ${left} lines of the run-time system and of data are left out`);
  return kept.join("\n");
}

class Side {
  readonly view: EditorView;
  readonly select: HTMLSelectElement;
  text = "";
  private what = "";
  origins: (Origin | undefined)[] = [];
  /** What is above the text: a picture of it, where there is one. */
  private readonly above = element("div", { class: "above", hidden: true });

  constructor(readonly label: string, readonly wanted: string, change: () => void, private readonly chosen: (origin: Origin) => void) {
    this.select = element("select", { "aria-label": `${label} stage`, onchange: change });
    const bar = element("div", { class: "bar" }, this.select,
      element("button", { class: "plain", title: "Save this text", "aria-label": `Save the ${label} stage`, onclick: () => this.save() }, "↓ save"));
    const code = element("div", { class: "code" });
    byId("stages").append(element("div", { class: "stage" }, bar, this.above, code));
    this.view = reader(code, `${label} stage`, this.extensions());
  }

  private extensions() {
    return [changes.extension, links.extension, EditorView.updateListener.of((update) => {
      if (!update.selectionSet || update.docChanged) return;
      const origin = this.origins[update.state.doc.lineAt(update.state.selection.main.head).number - 1];
      if (origin !== undefined) this.chosen(origin);
    })];
  }

  get stage(): string {
    return this.select.value || this.wanted;
  }

  /** Draws a graph of calls above the text; nothing without one. */
  draw(calls: string | undefined): void {
    this.above.hidden = calls === undefined;
    this.above.replaceChildren(...(calls === undefined ? [] : [picture(calls)]));
  }

  /** Shows a text. Returns whether it belongs to something else, `what`, than the one before. */
  show(what: string, name: string, text: string, origins: (Origin | undefined)[] = []): boolean {
    const isOther = what !== this.what;
    // From the middle of a long text into a short one the view would have to look for its place.
    if (isOther) this.view.scrollDOM.scrollTop = 0;
    this.what = what;
    this.text = text;
    this.origins = origins;
    this.view.setState(readerState(name, text, `${this.label} stage`, this.extensions()));
    return isOther;
  }

  mark(changed: boolean[]): void {
    changes.show(this.view, changed.flatMap((is, index) => (is ? [index + 1] : [])));
  }

  /** Marks what came from a line of the source, and shows the first of it. */
  link(origin: Origin | undefined, scroll: boolean): void {
    const lines = linesFrom(this.origins, origin);
    links.show(this.view, lines);
    if (!scroll || lines.length === 0) return;
    const at = this.view.state.doc.line(lines[0]!).from;
    this.view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }

  private save(): void {
    download(`${this.stage}.${OTHERS[this.stage] ?? "ir"}`, this.text);
  }
}

export class Stages {
  private readonly left: Side;
  private readonly right: Side;
  private shown = "";
  /** The line of the source whose parts are marked. */
  private linked: Origin | undefined;
  /** Updates that are under way. */
  private running = 0;
  /** A line was chosen in the source while an update was under way: it is shown in what that brings. */
  private isSought = false;

  /** `chosen` is told the line of the source that a line came from on which somebody clicks. */
  constructor(private readonly service: Service, private readonly project: () => Project, chosen: (origin: Origin) => void) {
    const change = () => void this.update(true);
    const link = (other: () => Side) => (origin: Origin) => {
      this.linked = origin;
      this.left.link(origin, other() === this.left);
      this.right.link(origin, other() === this.right);
      chosen(origin);
    };
    this.left = new Side("left", "build", change, link(() => this.right));
    this.right = new Side("right", "ir", change, link(() => this.left));
    for (const side of [this.left, this.right]) this.fill(side);
  }

  /** Chooses what is compared, as somebody would by hand. */
  choose(left: string, right: string): void {
    for (const [side, stage] of [[this.left, left], [this.right, right]] as const) {
      if ([...side.select.options].some(({ value }) => value === stage)) side.select.value = stage;
    }
    void this.update(true);
  }

  /** Marks what came from a line of the source. */
  link(origin: Origin): void {
    this.linked = origin;
    this.isSought = this.running > 0;
    for (const side of [this.left, this.right]) side.link(origin, true);
  }

  /** Compiles what the project is now, unless that is shown. */
  async update(force = false): Promise<void> {
    const project = this.project();
    const key = JSON.stringify([project.files, project.main, project.flags]);
    if (key === this.shown && !force) return;
    this.shown = key;
    this.wait(1);
    try {
      await this.compile(project);
    } catch (error) {
      if (!(error instanceof Lost)) announce(String(error));
    } finally {
      this.wait(-1);
    }
  }

  private wait(more: number): void {
    this.running += more;
    byId("stages").ariaBusy = `${this.running > 0}`;
    if (this.running === 0) this.isSought = false;
  }

  private async compile(project: Project): Promise<void> {
    const wanted = [...new Set([this.left.stage, this.right.stage])].filter((stage) => stage !== SOURCE);
    const { main, flags, files } = project;
    const compile = (stages: string[]) =>
      this.service.compile({ ...files }, { main, flags: [...words(flags), "--locations"], stages });
    let result = await compile(wanted);
    if (result.diagnostics.some(({ code }) => code === NOT_THERE)) {
      // A pass that does not run with these flags must not take the other stage with it.
      const each = await Promise.all(wanted.map((stage) => compile([stage])));
      result = { ...each[0]!, ok: true, stages: Object.assign({}, ...each.map(({ stages }) => stages)) as Result["stages"] };
    }
    const note = byId("stages-note");
    if (!result.ok) {
      note.textContent = result.diagnostics.find(({ level }) => level === "error")?.message ?? result.log;
      note.hidden = false;
      if (wanted.every((stage) => result.stages[stage] === undefined)) return;
    } else note.hidden = true;
    const isOther = [this.left, this.right].map((side) => {
      const { stage } = side;
      side.draw(stage === CALLS ? result.stages[stage] : undefined);
      if (stage === SOURCE) {
        const source = files[main] ?? "";
        return side.show(`${main} ${stage}`, main, source, source.split("\n").map((_, index) => `${main}:${index + 1}`));
      }
      const text = result.stages[stage];
      const missing = stage === "tree" ? "; programs of GOOPEA and samlang have a typed tree\n" : `; the pass \`${stage}\` does not run with these flags\n`;
      const own = text !== undefined && stage === "wat" ? ownPart(text) : text;
      const plain = withoutOrigins(own ?? missing);
      return side.show(`${main} ${stage}`, `x.${OTHERS[stage] ?? "ir"}`, plain.text, plain.origins);
    });
    this.compare();
    [this.left, this.right].forEach((side, index) => side.link(this.linked, this.isSought || isOther[index]!));
  }

  private compare(): void {
    const sameLanguage = [this.left, this.right].every(({ stage }) => !(stage in OTHERS));
    const { left, right } = sameLanguage || this.left.stage === this.right.stage
      ? difference(this.left.text.split("\n"), this.right.text.split("\n"))
      : { left: [], right: [] };
    this.left.mark(left);
    this.right.mark(right);
    const count = (changed: boolean[]) => changed.filter(Boolean).length;
    const sizes = [this.left, this.right].map(({ text }) => bytesText(text.length));
    byId("stages-status").textContent = sameLanguage
      ? `${count(left)} lines only left, ${count(right)} only right · ${sizes.join(" and ")}` : sizes.join(" and ");
  }

  private fill(side: Side): void {
    const { passes } = this.service.about;
    const option = (value: string, text: string, title = "") =>
      element("option", { value, title, selected: value === side.wanted }, text);
    const group = (label: string, ...options: HTMLOptionElement[]) => element("optgroup", { label }, ...options);
    const of = (name: string) => passes.filter((pass) => pass.group === name)
      .map((pass) => option(pass.name, `after ${pass.name}`, pass.description));
    side.select.append(
      option(SOURCE, `source (${titleOf(this.project().main)})`),
      option("tree", "typed tree"),
      option("build", "IR as the front end made it"),
      option("ir", "IR after all optimisations"),
      option("roots", "IR with roots (rooted)"),
      option("lower", "IR as machine-like code (low)"),
      option("wat", "WebAssembly text"),
      option(CALLS, "who calls whom"),
      group("Optimisations", ...of("passes")),
      group("Lowering", ...of("lowering").filter(({ value }) => !["roots", "lower"].includes(value))),
    );
  }
}
