// The tabs of the files: show, add, rename, remove; and files that are dropped on the page.

import { COMPILER } from "./clean.js";
import { announce, byId, element } from "./dom.js";
import { isMain, MAIN_ENDINGS, type Project } from "./project.js";

export interface Hooks {
  project: () => Project;
  show: (name: string) => void;
  changed: () => void;
  forget: (name: string) => void;
  renamed: (name: string) => void;
  /** Clean's compiler was dropped. */
  compiler: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
}

/** What may be dropped. */
const isText = (name: string): boolean => /\.(?:icl|dcl|txt)$/.test(name) || MAIN_ENDINGS.has(name.slice(name.lastIndexOf(".") + 1));
/** Where Clean keeps .abc files, beside their sources; it looks there by itself. */
const SYSTEM_FILES = "/Clean System Files";
/** A larger file makes the editor slow; it is compiled, but has no tab of its own. */
const TABS = 12;

export class Files {
  constructor(private readonly hooks: Hooks) {}

  /** Draws the tabs. */
  show(current: string): void {
    const { files, main } = this.hooks.project();
    const names = Object.keys(files);
    const shown = names.length <= TABS ? names : [...new Set([main, current, ...names.filter((name) => !name.includes("/"))])].slice(0, TABS);
    const tabs = shown.filter((name) => name in files).map((name) => {
      const selected = name === current;
      return element("button", {
        role: "tab", "aria-selected": String(selected), tabindex: selected ? 0 : -1, "aria-controls": "editor",
        title: name === main ? `${name}: the main file` : name,
        onclick: () => this.hooks.show(name),
        onkeydown: (event) => this.key(event as KeyboardEvent, shown, name),
        ondblclick: () => this.rename(name),
      }, name === main ? element("b", {}, name) : name);
    });
    const more = names.length > shown.length ? element("span", { class: "note" }, `and ${names.length - shown.length} more`) : undefined;
    const add = element("button", { class: "plain", title: "New file", "aria-label": "New file", onclick: () => this.add() }, "+");
    const remove = element("button", { class: "plain", title: `Remove ${current}`, "aria-label": `Remove ${current}`, onclick: () => this.remove(current) }, "×");
    byId("files").replaceChildren(...tabs);
    byId("files").parentElement!.querySelector(".file-tools")?.remove();
    byId("files").after(element("div", { class: "file-tools" }, more, add, names.length > 1 && remove));
  }

  private key(event: KeyboardEvent, names: string[], name: string): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "F2") this.rename(name);
    if (!step) return;
    this.hooks.show(names[(names.indexOf(name) + step + names.length) % names.length]!);
    byId("files").querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  }

  private ask(text: string, given: string): string | undefined {
    const name = prompt(text, given)?.trim().replace(/^\/+/, "");
    if (!name) return undefined;
    if (name in this.hooks.project().files) {
      announce(`There is a file ${name} already.`);
      return undefined;
    }
    return name;
  }

  private add(): void {
    const { main, files } = this.hooks.project();
    const name = this.ask("Name of the new file", `new.${main.split(".").at(-1)}`);
    if (!name) return;
    files[name] = "";
    this.hooks.changed();
    this.hooks.show(name);
  }

  private rename(old: string): void {
    const project = this.hooks.project();
    const name = this.ask("New name", old);
    if (!name) return;
    project.files = Object.fromEntries(Object.entries(project.files).map(([key, text]) => [key === old ? name : key, text]));
    if (project.main === old) project.main = name;
    this.hooks.forget(old);
    this.hooks.renamed(name);
  }

  private remove(name: string): void {
    const project = this.hooks.project();
    if (!confirm(`Remove ${name}?`)) return;
    delete project.files[name];
    if (project.main === name) project.main = Object.keys(project.files)[0]!;
    this.hooks.forget(name);
    this.hooks.changed();
    this.hooks.show(project.main);
  }

  /** Files and folders that are dropped become files of the project. */
  acceptDrops(target: HTMLElement): void {
    target.addEventListener("dragover", (event) => event.preventDefault());
    target.addEventListener("drop", async (event) => {
      event.preventDefault();
      const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
      const found: Record<string, string> = {};
      for (const entry of entries) {
        if (entry.name === COMPILER) await this.takeCompiler(entry as FileSystemFileEntry);
        else await collect(entry, "", found);
      }
      if (entries.some(({ name }) => name !== COMPILER)) this.take(found);
    });
  }

  private async takeCompiler(entry: FileSystemFileEntry): Promise<void> {
    const file = await fileOf(entry);
    try {
      await this.hooks.compiler(new Uint8Array(await file.arrayBuffer()));
      announce("Clean's compiler is here: sources of Clean are compiled now.");
    } catch (error) {
      announce(`${COMPILER} is no WebAssembly: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Adds files; a main module that is dropped alone is compiled. */
  take(found: Record<string, string>): void {
    const names = Object.keys(found);
    if (names.length === 0) return announce("No file of a known kind was dropped.");
    const project = this.hooks.project();
    Object.assign(project.files, found);
    names.forEach((name) => this.hooks.forget(name));
    const folders = [...new Set(names.filter((name) => name.includes("/")).map((name) => name.slice(0, name.lastIndexOf("/"))))];
    for (const folder of new Set(folders.map((name) => name.replace(SYSTEM_FILES, "")))) {
      const flag = `-L ${/\s/.test(folder) ? `"${folder}"` : folder}`;
      if (!project.flags.includes(flag)) project.flags = `${project.flags} ${flag}`.trim();
    }
    const main = names.find((name) => !name.includes("/") && isMain(name, found[name]!));
    if (main) project.main = main;
    this.hooks.changed();
    this.hooks.show(main ?? project.main);
    announce(names.length === 1 ? `${names[0]} was added.` : `${names.length} files were added.`);
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject));

async function collect(entry: FileSystemEntry, folder: string, found: Record<string, string>): Promise<void> {
  const name = folder + entry.name;
  if (entry.isFile) {
    if (!isText(entry.name)) return;
    found[name] = await (await fileOf(entry as FileSystemFileEntry)).text();
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const inner of entries) await collect(inner, `${name}/`, found);
  }
}
