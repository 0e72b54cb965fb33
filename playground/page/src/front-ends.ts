// Languages that are no part of the compiler. Each is a front end as a program for WASI beside the page: it makes IR of
// a file, and all else is as for IR. `languages/index.json` lists them; nothing of one is loaded before it is used.

import { load, type Diagnostic } from "../../compiler/src/index.js";
import type { Prepared } from "./clean.js";
import type { Reply, Request } from "./front-end.worker.js";
import { addLanguage } from "./languages.js";
import { MAIN_ENDINGS } from "./project.js";

/** A language, as its `language.json` describes it (`playground/add-language.mjs`). */
export interface Language {
  name: string;
  ending: string;
  /** What a visitor is told of it. */
  about: string;
  /** For the colours: words, what begins a comment up to the end of the line, and comments with an end. */
  keywords?: string;
  line?: string;
  block?: [string, string];
}

export class FrontEnds {
  private readonly languages = new Map<string, Language>();
  private readonly modules = new Map<string, Promise<WebAssembly.Module>>();
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private next = 0;

  /** Reads the list. */
  async load(): Promise<void> {
    try {
      const response = await fetch(new URL("languages/index.json", document.baseURI));
      if (!response.ok) return;
      for (const language of (await response.json()) as Language[]) {
        this.languages.set(language.ending, language);
        MAIN_ENDINGS.add(language.ending);
        addLanguage(language);
      }
    } catch {
      // Then there are none.
    }
  }

  /** Gives up what is asked for. */
  cancel(why = "cancelled"): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const [id, resolve] of this.waiting) resolve({ id, said: why, status: 1, ir: "" });
    this.waiting.clear();
  }

  /** Makes IR of a program in one of these languages; other programs are as they were. */
  async prepare(files: Record<string, string>, main: string, flags: readonly string[]): Promise<Prepared> {
    const language = this.languages.get(main.slice(main.lastIndexOf(".") + 1));
    if (!language) return { files, main, diagnostics: [], log: "", ok: true };
    let module: WebAssembly.Module;
    try {
      module = await this.module(language);
    } catch (error) {
      this.modules.delete(language.ending);
      return { files, main, diagnostics: [], log: `The front end of ${language.name} is not there: ${error}`, ok: false };
    }
    const { ir, said, status } = await this.translate({ id: this.next++, module, name: language.ending, main, files, memory: memoryOf(flags) });
    const diagnostics: Diagnostic[] = [];
    const log = said.split("\n").filter((line) => {
      if (!line.startsWith('{"version":')) return true;
      diagnostics.push(JSON.parse(line) as Diagnostic);
      return false;
    });
    return { files: { ...files, [`${main}.ir`]: ir }, main: `${main}.ir`, diagnostics, log: log.join("\n").trim(), ok: status === 0 };
  }

  private module(language: Language): Promise<WebAssembly.Module> {
    const known = this.modules.get(language.ending);
    if (known) return known;
    const loaded = load(fetch(new URL(`languages/${language.ending}.wasm.gz`, document.baseURI))).then(({ module }) => module);
    this.modules.set(language.ending, loaded);
    return loaded;
  }

  private translate(request: Request): Promise<Reply> {
    return new Promise((resolve) => {
      if (!this.worker) {
        const worker = new Worker(new URL("front-end.worker.js", document.baseURI), { type: "module", name: "front end" });
        worker.onmessage = ({ data }: MessageEvent<Reply>) => {
          this.waiting.get(data.id)?.(data);
          this.waiting.delete(data.id);
        };
        worker.onerror = (event) => {
          event.preventDefault();
          this.cancel(event.message || "the worker of a front end was lost");
        };
        this.worker = worker;
      }
      this.waiting.set(request.id, resolve);
      this.worker.postMessage(request);
    });
  }
}

/** The heap that the flags ask for, which the IR must be made for. */
function memoryOf(flags: readonly string[]): string {
  const at = flags.findLastIndex((flag) => /^--memory(?:=|$)/.test(flag));
  return at < 0 ? "gc" : (/=(.*)/.exec(flags[at]!)?.[1] ?? flags[at + 1] ?? "gc");
}
