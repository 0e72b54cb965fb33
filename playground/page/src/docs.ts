// The documents of the project, with programs that open in the editor.

import { byId, element } from "./dom.js";
import type { Example } from "./examples.js";

/** Which language the programs of a document are in, and what a whole program has. */
const PROGRAMS: Record<string, [string, RegExp]> = {
  goopea: ["main.goo", /^main =/m],
  samlang: ["Main.sam", /class Main/],
  ir: ["main.ir", /^start @/m],
  "your-language": ["main.ir", /^start @/m],
};

export class Docs {
  private filled = false;

  constructor(private readonly openProgram: (name: string, text: string) => void) {}

  async open(): Promise<void> {
    if (this.filled) return;
    this.filled = true;
    const panel = byId("panel-docs");
    try {
      const response = await fetch(new URL("docs/index.json", document.baseURI));
      const index = (await response.json()) as Omit<Example, "group">[];
      const article = element("article", { tabindex: "0", "aria-label": "Document" });
      const select = element("select", { "aria-label": "Document", onchange: () => void this.show(article, select.value) },
        ...index.map(({ path, title }) => element("option", { value: path }, title)));
      panel.append(element("div", { class: "bar" }, select), article);
      article.addEventListener("click", (event) => {
        const link = (event.target as HTMLElement).closest("a");
        const target = link?.getAttribute("href") ?? "";
        const page = /^([\w-]+)\.md/.exec(target)?.[1];
        if (!link || /^https?:/.test(target)) return;
        event.preventDefault();
        if (page && index.some(({ path }) => path === page)) {
          select.value = page;
          void this.show(article, page);
        } else if (target.startsWith("#")) article.querySelector(`[id="${CSS.escape(target.slice(1))}"]`)?.scrollIntoView();
      });
      if (index[0]) await this.show(article, index[0].path);
    } catch (error) {
      this.filled = false;
      panel.textContent = `The documents were not loaded: ${error}`;
    }
  }

  private async show(article: HTMLElement, path: string): Promise<void> {
    const response = await fetch(new URL(`docs/${path}.html`, document.baseURI));
    // Our own text, which the build has rendered.
    article.innerHTML = await response.text();
    article.scrollTop = 0;
    for (const link of article.querySelectorAll<HTMLAnchorElement>("a[href^=http]")) link.rel = "noopener";
    const [name, whole] = PROGRAMS[path] ?? [];
    for (const block of article.querySelectorAll("pre")) {
      block.tabIndex = 0;
      const text = block.textContent ?? "";
      if (!name || !whole!.test(text)) continue;
      block.before(element("button", { class: "open", onclick: () => this.openProgram(name, text) }, "Open in the editor"));
    }
    article.dataset.document = path;
  }
}
