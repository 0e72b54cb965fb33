// The command line above the editor: main file, level, memory, and other flags.

import { byId, element } from "./dom.js";
import { isMain, words, type Project } from "./project.js";

const LEVELS = ["-O0", "-O1", "-O2"];
const MEMORY = /^--memory=/;

export class Settings {
  private readonly main = byId<HTMLSelectElement>("main-file");
  private readonly level = byId<HTMLSelectElement>("level");
  private readonly memory = byId<HTMLSelectElement>("memory");
  private readonly flags = byId<HTMLInputElement>("flags");

  constructor(change: (change: Partial<Project>) => void) {
    this.main.addEventListener("change", () => change({ main: this.main.value }));
    const flags = () => change({ flags: this.text() });
    this.level.addEventListener("change", flags);
    this.memory.addEventListener("change", flags);
    this.flags.addEventListener("input", flags);
  }

  /** Shows those of a project. */
  show({ files, main, flags }: Project): void {
    const names = Object.keys(files).filter((name) => !name.includes("Clean System Files/") && isMain(name, files[name]!));
    if (!names.includes(main)) names.unshift(main);
    this.main.replaceChildren(...names.map((name) => element("option", { value: name, selected: name === main }, name)));
    this.main.value = main;
    const given = words(flags);
    const level = given.find((flag) => LEVELS.includes(flag)) ?? "";
    this.level.value = level === "-O2" ? "" : level;
    this.memory.value = given.find((flag) => MEMORY.test(flag)) ?? "";
    if (document.activeElement !== this.flags) {
      this.flags.value = given.filter((flag) => !LEVELS.includes(flag) && !MEMORY.test(flag)).map((flag) => (/\s/.test(flag) ? `"${flag}"` : flag)).join(" ");
    }
  }

  private text(): string {
    return [this.level.value, this.memory.value, this.flags.value.trim()].filter(Boolean).join(" ");
  }
}
