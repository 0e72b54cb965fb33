// The worker of Clean's compiler, if the page has it: makes the .abc files that a program of Clean needs.
//
// As Clean's own make tool does: the main module first, then the modules that its new .abc file names and that have no
// .abc file yet. To compile a module only the .dcl files of others are needed.

import { Exit, Files, instantiate, type Diagnostic } from "../../compiler/src/index.js";

export interface Request {
  id: number;
  files: Record<string, string>;
  /** The .icl file of the main module. */
  main: string;
  /** Where modules are looked for beside its folder. */
  folders: string[];
}

/** The .abc files that were made, and what the compiler said. */
export interface Reply {
  id: number;
  made: Record<string, string>;
  diagnostics: Diagnostic[];
  log: string;
}

const SYSTEM_FILES = "Clean System Files";
let compiler: WebAssembly.Module;
/** What was compiled before, by the .icl file; it holds as long as the .dcl files are the same. */
const known = new Map<string, { source: string; abc: string; said: string }>();
let definitions = "";

const join = (...parts: string[]) => parts.filter(Boolean).join("/");

/** Where the .abc file of a source is. */
function abcOf(icl: string): string {
  const cut = icl.lastIndexOf("/") + 1;
  return `${icl.slice(0, cut)}${SYSTEM_FILES}/${icl.slice(cut).replace(/\.icl$/, ".abc")}`;
}

/** Compiles one module. */
function compile(files: Record<string, string>, icl: string, folders: string[]): { abc?: string; said: string } {
  const world = new Files(files);
  const target = abcOf(icl);
  const folder = `/${target.slice(0, target.lastIndexOf("/"))}`;
  if (!world.isFolder(folder)) world.makeFolder(folder);
  const said: string[] = [];
  const decoder = new TextDecoder();
  const args = ["cocl", "-sl", "-csf", "-P", folders.map((one) => `/${one}`).join(":"), "-o", `/${target}`, `/${icl}`];
  try {
    const exports = instantiate(compiler, { args, files: world, write: (_, bytes) => void said.push(decoder.decode(bytes)) });
    (exports.rt_embedded as (() => void) | undefined)?.();
    (exports._start as () => void)();
  } catch (error) {
    if (!(error instanceof Exit)) said.push(`Error [${icl},1]: Clean's compiler failed: ${error}\n`);
  }
  const made = world.get(`/${target}`);
  return { abc: made && decoder.decode(made), said: said.join("") };
}

/** Messages of the compiler: `Type error [main.icl,3,f]: …`, with more on lines that are indented. */
function diagnosticsOf(said: string, files: Record<string, string>): { diagnostics: Diagnostic[]; log: string } {
  const diagnostics: Diagnostic[] = [];
  const log: string[] = [];
  for (const line of said.split("\n")) {
    const found = /^([A-Z][\w ]*?) \[([^\],]+),(\d+)(?:;(\d+))?(?:,([^\]]*))?\]:?\s*(.*)$/.exec(line);
    const last = diagnostics.at(-1);
    if (found) {
      const [, kind, name, number, column, where, text] = found;
      const file = Object.keys(files).find((one) => one === name || one.endsWith(`/${name}`)) ?? name!;
      const at = Number(number);
      const place = { start: 0, end: 0, line: at, column: Number(column ?? 1), end_line: at, end_column: column ? Number(column) + 1 : 10_000 };
      diagnostics.push({
        code: "", level: /warning/i.test(kind!) ? "warning" : "error", message: text || kind!, help: [], rendered: line,
        spans: [{ file, ...place, primary: true, label: where ? `${kind} in ${where}` : kind! }],
      });
    } else if (last && /^\s+\S/.test(line)) {
      last.message += `\n${line.trim()}`;
      last.rendered += `\n${line}`;
    } else if (line.trim()) log.push(line);
  }
  // What else it prints says nothing then.
  return { diagnostics, log: diagnostics.length > 0 ? "" : log.join("\n") };
}

function translate({ id, files, main, folders }: Request): Reply {
  const own = main.slice(0, Math.max(0, main.lastIndexOf("/")));
  const roots = [...new Set([own, ...folders])];
  const now = Object.keys(files).filter((name) => name.endsWith(".dcl")).map((name) => `${name}\n${files[name]}`).join("\n");
  if (now !== definitions) known.clear();
  definitions = now;
  const made: Record<string, string> = {};
  let said = "";
  const open = [main];
  const seen = new Set(open);
  for (let icl = open.pop(); icl !== undefined; icl = open.pop()) {
    const before = known.get(icl);
    const done = before?.source === files[icl] ? before : compile({ ...files, ...made }, icl, roots);
    said += done?.said ?? "";
    if (done?.abc === undefined) break;
    known.set(icl, { source: files[icl]!, abc: done.abc, said: done.said });
    made[abcOf(icl)] = done.abc;
    for (const [, name] of done.abc.matchAll(/^\.depend "([^"]+)"/gm)) {
      const path = name!.replaceAll(".", "/");
      const sources = roots.map((root) => join(root, `${path}.icl`)).filter((source) => source in files);
      const isThere = roots.some((root) => abcOf(join(root, `${path}.icl`)) in files || join(root, `${path}.abc`) in files);
      if (isThere || !sources[0] || seen.has(sources[0])) continue;
      seen.add(sources[0]);
      open.push(sources[0]);
    }
  }
  return { id, made, ...diagnosticsOf(said, files) };
}

self.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | Request>) => {
  if (data instanceof WebAssembly.Module) compiler = data;
  else self.postMessage(translate(data));
};
