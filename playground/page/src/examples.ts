// The list of examples, which lie beside the page, and of what the visitor wrote before.

import { byId, element } from "./dom.js";
import * as kept from "./kept.js";
import { checked, type Project } from "./project.js";

export interface Example {
  path: string;
  group: string;
  name: string;
  /** What it shows. */
  line: string;
  /** What to say of the group, if it is a language beside the page. */
  about?: string;
}

/** A program with what to look at in it, as HTML of our own. */
export interface Opened {
  path: string;
  project: Project;
  walkthrough: string;
}

/** What a visitor is told of each language. */
const LANGUAGES: Record<string, string> = {
  GOOPEA: "Small and strict. References are counted, and dead cells are used again.",
  samlang: "Strict, with classes, generics, closures and a library.",
  Clean: "Lazy and pure. The ABC code of Clean's own compiler is what is compiled.",
  IR: "What all of them become: the compiler's own language, as text.",
};

async function json(path: string): Promise<unknown> {
  const response = await fetch(new URL(path, document.baseURI));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

export async function open(path: string): Promise<Opened> {
  const data = (await json(`examples/${path}.json`)) as { walkthrough?: unknown };
  const project = checked(data);
  if (!project) throw new Error(`${path} is no example`);
  return { path, project, walkthrough: typeof data.walkthrough === "string" ? data.walkthrough : "" };
}

export interface Choice {
  example: (path: string) => void;
  restore: (project: Project) => void;
}

export class Examples {
  private index: Example[] = [];
  private readonly dialog = byId<HTMLDialogElement>("examples-dialog");
  private readonly list = byId("examples-list");
  private readonly filter = byId<HTMLInputElement>("examples-filter");

  constructor(private readonly choice: Choice) {
    byId("examples").addEventListener("click", () => this.show());
    byId("examples-close").addEventListener("click", () => this.dialog.close());
    this.filter.addEventListener("input", () => this.narrow());
    // A click beside the list closes it.
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  async load(): Promise<void> {
    try {
      this.index = (await json("examples/index.json")) as Example[];
    } catch {
      // Then there are no examples.
    }
  }

  /** Opens the list. */
  show(): void {
    const groups = new Map<string, HTMLElement[]>();
    for (const { path, group, name, line } of this.index) {
      const row = element("li", { "data-search": `${group} ${name} ${line}`.toLowerCase() },
        element("button", { "data-example": path, onclick: () => this.choose(() => this.choice.example(path)) },
          element("b", {}, name), element("span", {}, line)));
      groups.set(group, [...(groups.get(group) ?? []), row]);
    }
    const sections = [...groups].map(([group, rows]) => section(group, LANGUAGES[group] ?? this.index.find((one) => one.group === group)?.about ?? "", rows));
    this.list.replaceChildren(...this.own(), ...sections);
    this.filter.value = "";
    this.dialog.showModal();
    this.list.scrollTop = 0;
  }

  private own(): HTMLElement[] {
    const rows = kept.all().map(({ project, time }) => {
      const text = project.files[project.main] ?? "";
      const first = text.split("\n").find((line) => line.trim() !== "")?.trim() ?? "";
      const row = element("li", { class: "own", "data-search": `${project.main} ${text}`.toLowerCase() },
        element("button", { class: "restore", onclick: () => this.choose(() => this.choice.restore(project)) },
          element("b", {}, project.main), element("span", {}, `${ago(time)}, ${text.split("\n").length} lines: `, element("code", {}, first))),
        element("button", { class: "plain", title: `Forget ${project.main}`, "aria-label": `Forget ${project.main}`, onclick: () => {
          kept.forget(project);
          row.remove();
        } }, "×"));
      return row;
    });
    return rows.length === 0 ? [] : [section("What you wrote", "Kept in this browser when you opened something else.", rows)];
  }

  private choose(action: () => void): void {
    this.dialog.close();
    action();
  }

  private narrow(): void {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of this.list.querySelectorAll<HTMLElement>("li")) row.hidden = !words.every((word) => row.dataset.search!.includes(word));
    for (const group of this.list.querySelectorAll<HTMLElement>("section")) group.hidden = !group.querySelector("li:not([hidden])");
  }
}

const section = (title: string, line: string, rows: HTMLElement[]): HTMLElement =>
  element("section", {}, element("h3", {}, title), element("p", { class: "note" }, line), element("ul", {}, ...rows));

function ago(time: number): string {
  const minutes = Math.round((Date.now() - time) / 60_000);
  const [count, unit] = minutes < 60 ? [minutes, "minute"] : minutes < 1440 ? [Math.round(minutes / 60), "hour"] : [Math.round(minutes / 1440), "day"];
  return count < 1 ? "just now" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
