// The documents of the project, with programs that open in the editor.

import { byId, element } from "./dom.js";

/** Which language the programs of a document are in, and what a whole program has. */
const PROGRAMS: Record<string, [string, RegExp]> = {
  goopea: ["main.goo", /^main =/m],
  samlang: ["Main.sam", /class Main/],
  ir: ["main.ir", /^start @/m],
  "your-language": ["main.ir", /^start @/m],
};

export class Docs {
  private filling: Promise<void> | undefined;
  private choose: ((path: string) => Promise<void>) | undefined;

  constructor(private readonly openProgram: (name: string, text: string) => void) {}

  /** Shows the documents, or the one that is named. */
  async open(wanted?: string): Promise<void> {
    await (this.filling ??= this.fill());
    if (wanted !== undefined) await this.choose?.(wanted);
  }

  private async fill(): Promise<void> {
    const panel = byId("panel-docs");
    try {
      const response = await fetch(new URL("docs/index.json", document.baseURI));
      const index = (await response.json()) as { path: string; title: string }[];
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
        if (page) void this.choose?.(page);
        else if (target.startsWith("#")) article.querySelector(`[id="${CSS.escape(target.slice(1))}"]`)?.scrollIntoView();
      });
      this.choose = async (path) => {
        if (!index.some((one) => one.path === path)) return;
        select.value = path;
        await this.show(article, path);
      };
      if (index[0]) await this.choose(index[0].path);
    } catch (error) {
      this.filling = undefined;
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
