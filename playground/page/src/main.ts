// The page: what the visitor works on, and who is told when it changes.

import { keymap } from "@codemirror/view";
import { Prec } from "@codemirror/state";
import type { Diagnostic, Result } from "../../compiler/src/index.js";
import { breakpoints, linesOf, showHere, toggleHere } from "./breakpoints.js";
import { Compare } from "./compare.js";
import { countCells } from "./count.js";
import { DebugPanel } from "./debug.js";
import { Docs } from "./docs.js";
import { announce, byId, bytesText, delayed, download, timeText } from "./dom.js";
import { Editor } from "./editor.js";
import { Examples, open as openExample, type Opened } from "./examples.js";
import { Files } from "./files.js";
import { Guide } from "./guide.js";
import * as kept from "./kept.js";
import { endingOf, hasForm, titleOf } from "./languages.js";
import { links } from "./links.js";
import { remarks, reportOf, showRemarks, type Report } from "./memory.js";
import { decoded, EMPTY, encoded, save, saved, words, type Project } from "./project.js";
import { Problems } from "./problems.js";
import { RunPanel } from "./run.js";
import { Lost, Service } from "./service.js";
import { Stages } from "./stages.js";
import { Settings } from "./settings.js";
import { Tour, wasSeen } from "./tour.js";
import { gutter, menu, tabs, theme } from "./widgets.js";
import { actions, STOPS, WELCOME } from "./welcome.js";

let project: Project = EMPTY;
let service: Service | undefined;
let stages: Stages | undefined;
let debug: DebugPanel | undefined;
let compare: Compare | undefined;
let view = "run";

const runPanel = new RunPanel((running) => {
  byId("run").classList.toggle("stop", running);
  byId("run-text").textContent = running ? "Stop" : "Run";
});

const editor = new Editor(byId("editor"), {
  change: (name, text) => {
    project.files[name] = text;
    changed();
  },
  line: (name, line) => {
    if (view === "stages") stages?.link(`${name}:${line}`);
  },
  checker: {
    hover: async (file, position) => service?.hover({ ...project.files }, file, position),
    completions: async (file, position) => (await service?.completions({ ...project.files }, file, position)) ?? [],
    definition: async (file, position) => service?.definition({ ...project.files }, file, position),
    show: ({ file, range }) => {
      if (!(file in project.files)) return;
      show(file);
      editor.goTo(range);
    },
    format: () => void format(),
  },
}, [
  Prec.highest(keymap.of([
    { key: "Mod-Enter", run: () => (void toggle(), true) },
    { key: "F9", run: (view) => toggleHere(view, stopAt) },
    { any: (_, event) => debug?.key(event) ?? false },
  ])),
  breakpoints((line, set) => stopAt(line, set)),
  links.extension,
  remarks,
]);

const stopAt = (line: number, set: boolean) => debug?.breakpoint(editor.shown, line, set);

const files = new Files({
  project: () => project,
  show: (name) => show(name),
  changed: () => {
    settings.show(project);
    changed();
  },
  forget: (name) => editor.forget(name),
  renamed: (name) => {
    editor.reset(project.files, name);
    files.show(name);
    settings.show(project);
    changed();
  },
  compiler: async (bytes) => {
    await service?.clean.use(bytes);
    check();
  },
});

const settings = new Settings((change) => {
  Object.assign(project, change);
  files.show(editor.shown);
  changed();
});

const problems = new Problems((file, line, column) => {
  if (!(file in project.files)) return;
  show(file);
  editor.go(line, column);
});

function show(name: string): void {
  editor.show(name, project.files[name] ?? "");
  files.show(name);
  markShown();
}

let lastDiagnostics: readonly Diagnostic[] = [];
/** What becomes of memory, as long as that is asked for. */
let lastReport: Report | undefined;
const isAsked = () => byId("memory-remarks").ariaPressed === "true";
function markShown(): void {
  if (!service) return;
  editor.mark(lastDiagnostics, service.about);
  if (isAsked()) showRemarks(editor.view, lastReport, editor.shown);
}

/** Says in the editor what becomes of memory, or takes that away. */
async function remark(): Promise<void> {
  lastReport = undefined;
  if (isAsked() && service) {
    const { files: sources, main, flags } = project;
    const { memory, diagnostics } = await service.compile({ ...sources }, { main, flags: words(flags), check: true, memory: true });
    if (!isAsked()) return;
    if (memory !== undefined) lastReport = reportOf(memory, main);
    else if (diagnostics.some(({ code }) => code === NOT_COUNTED)) announce("References of this program cannot be counted: the collector has its memory.");
  }
  showRemarks(editor.view, lastReport, editor.shown);
}

/** Opens another project; what the visitor wrote can be had back. */
function open(next: Project, example?: Opened): void {
  const mine = kept.isOwn(project) ? project : undefined;
  const isKept = mine && kept.keep(mine);
  load(next, example);
  if (isKept) announce("What you wrote is kept in the list of examples.", { name: "Restore", run: () => restore(mine) });
}

/** Goes back to what was kept. */
function restore(mine: Project): void {
  open(mine);
  kept.forget(mine);
  kept.openedOwn();
}

/** Opens an example by its path. */
async function openPath(path: string): Promise<void> {
  try {
    const example = await openExample(path);
    open(example.project, example);
    history.replaceState(null, "", location.pathname + location.search);
  } catch (error) {
    announce(String(error));
  }
}

function load(next: Project, example?: Opened): void {
  runPanel.stop();
  debug?.reset();
  project = structuredClone(next);
  kept.opened(project, example?.path ?? "");
  guide.show(example?.walkthrough ?? "");
  const first = project.main.endsWith(".abc") ? (Object.keys(project.files).find((name) => endingOf(name) === "icl") ?? project.main) : project.main;
  editor.reset(project.files, first);
  files.show(first);
  settings.show(project);
  byId<HTMLInputElement>("args").value = project.args;
  byId<HTMLTextAreaElement>("stdin").value = project.input;
  runPanel.clear("");
  runPanel.add("Press Run, or Ctrl Enter.", "note");
  lastDiagnostics = [];
  lastReport = undefined;
  changed();
}

/** Every change of the project comes through here. */
function changed(): void {
  keep();
  check();
  if (view === "stages") updateStages();
  if (view === "debug") debug?.outdated();
}

const keep = delayed(300, () => save(project));
const updateStages = delayed(500, () => void stages?.update());

let checking = false;
let again = false;
/** The code of programs whose references cannot be counted. */
const NOT_COUNTED = "E0127";
/** A program that ran no longer than this, in milliseconds, is run again to count what happened to its cells. */
const SHORT = 1000;
/** So long may a check take; then the worker is given up, and the next change starts another one. */
const PATIENCE = 20_000;

const check = delayed(200, async () => {
  if (!service) return;
  if (checking) {
    again = true;
    return;
  }
  checking = true;
  const timer = setTimeout(() => service?.cancel("the check took too long"), PATIENCE);
  try {
    const { files: sources, main, flags } = project;
    const result = await service.compile({ ...sources }, { main, flags: words(flags), check: true });
    tell(result);
    if (isAsked()) await remark();
  } catch (error) {
    state(error instanceof Lost ? error.message : String(error), "bad");
  }
  clearTimeout(timer);
  checking = false;
  if (again) {
    again = false;
    check();
  }
});

/** Shows what is wrong. */
function tell(result: Result): void {
  lastDiagnostics = result.diagnostics;
  markShown();
  problems.show(result);
  const count = (level: string) => result.diagnostics.filter((diagnostic) => diagnostic.level === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const named = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
  const text = errors > 0 ? named(errors, "error") : !result.ok ? "not compiled" : warnings > 0 ? named(warnings, "warning") : "no problems";
  state(`${text} · checked in ${timeText(result.time)}`, result.ok ? "good" : "bad");
}

function state(text: string, kind: "" | "good" | "bad" = ""): void {
  byId("state").textContent = text;
  byId("state").dataset.state = kind;
}

async function compile(): Promise<Result | undefined> {
  const { files: sources, main, flags } = project;
  // What the page says of memory are reports of the run.
  const result = await service!.compile({ ...sources }, { main, flags: ["--rts-options", ...words(flags)] });
  tell(result);
  return result;
}

/** Brings the file that is shown into the form of its language. */
async function format(): Promise<void> {
  if (!service) return;
  const name = editor.shown;
  if (!hasForm(name)) return announce(`${titleOf(name)} has no form of its own.`);
  const before = project.files[name] ?? "";
  try {
    const text = await service.formatted({ ...project.files }, name);
    if (text === undefined) return announce("The file has errors, so it stays as it is.");
    // Who typed meanwhile keeps what was typed.
    if (editor.shown !== name || project.files[name] !== before) return;
    if (text === before) announce("The file has its form already.");
    else editor.replace(text);
  } catch (error) {
    announce(error instanceof Error ? error.message : String(error));
  }
}

/** Runs the program, or stops it. */
async function toggle(): Promise<void> {
  if (!service) return;
  if (runPanel.isRunning) return runPanel.stop();
  select("run");
  runPanel.clear("compiling …");
  try {
    const result = await compile();
    if (!result?.wasm) {
      runPanel.clear("not compiled");
      runPanel.status("not compiled", "bad");
      for (const diagnostic of result?.diagnostics ?? []) runPanel.add(`${diagnostic.rendered}\n\n`, diagnostic.level === "error" ? "err" : "note");
      if (result?.log) runPanel.add(result.log, "err");
      return;
    }
    const end = await runPanel.start(result, project);
    // The reference-counted heap says what happened to its cells if the program is built so: that is another run, which is slower.
    if (end?.status !== 0 || end.ran > SHORT || (end.statistics?.allocated ?? 0) > 0) return;
    await runPanel.count(countCells(service, structuredClone(project), words(project.flags)));
  } catch (error) {
    runPanel.clear("");
    runPanel.add(error instanceof Lost ? error.message : String(error), "err");
  }
}

const select = tabs(byId("right"), (name) => {
  view = name;
  if (name === "stages") void stages?.update();
  if (name === "docs") void docs.open();
  if (name === "debug" && debug && !debug.isOn) void debug.start();
});

const tour = new Tour(STOPS, (name) => select(name));
const examples = new Examples({ example: (path) => void openPath(path), restore });
const guide = new Guide(actions({
  run: () => void toggle(),
  open: (name) => select(name),
  steps: (steps, anew) => void debug?.go(steps, anew),
  stages: (left, right) => stages?.choose(left, right),
  compare: (pair) => compare?.start(pair),
  docs: (name) => void docs.open(name),
  line: (line) => editor.go(line, 1),
  memory: () => isAsked() || byId("memory-remarks").click(),
}));

const docs = new Docs((name, text) => open({ ...EMPTY, files: { [name]: text }, main: name }));

async function share(): Promise<void> {
  const url = new URL(location.href);
  url.hash = `code=${await encoded(project)}`;
  history.replaceState(null, "", url);
  try {
    await navigator.clipboard.writeText(url.href);
    announce(`The link is copied (${bytesText(url.href.length)}).`);
  } catch {
    announce("The link is in the address bar.");
  }
}

async function saveAs(kind: string): Promise<void> {
  const stem = project.main.split("/").at(-1)!.replace(/\.\w+$/, "");
  if (kind === "source") return download(project.main.split("/").at(-1)!, project.files[project.main] ?? "");
  const { files: sources, main, flags } = project;
  const stage = kind === "wat" || kind === "ir" ? [kind] : [];
  const result = await service!.compile({ ...sources }, { main, flags: words(flags), stages: stage });
  tell(result);
  if (!result.ok) return announce("The program has errors.");
  if (kind === "wasm") download(`${stem}.wasm`, result.wasm!);
  else if (kind === "mjs") download(`${stem}.mjs`, result.mjs!);
  else download(`${stem}.${kind}`, result.stages[kind]!);
}

/** The project of the address; a broken link is told, and does no harm. */
async function ofAddress(): Promise<Project | undefined> {
  const found = /^#code=(.+)$/.exec(location.hash);
  if (!found) return undefined;
  const linked = await decoded(found[1]!);
  if (!linked) announce("The link is damaged: it holds no program.");
  return linked;
}

function listen(): void {
  byId("run").addEventListener("click", () => void toggle());
  byId("format").addEventListener("click", () => void format());
  byId("share").addEventListener("click", () => void share());
  byId("memory-remarks").addEventListener("click", ({ currentTarget }) => {
    (currentTarget as HTMLElement).ariaPressed = String(!isAsked());
    remark().catch((error) => announce(String(error)));
  });
  byId("tour-start").addEventListener("click", () => tour.start());
  byId<HTMLInputElement>("args").addEventListener("input", (event) => {
    project.args = (event.target as HTMLInputElement).value;
    keep();
  });
  byId<HTMLTextAreaElement>("stdin").addEventListener("input", (event) => {
    project.input = (event.target as HTMLTextAreaElement).value;
    keep();
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !event.defaultPrevented) {
      event.preventDefault();
      void toggle();
    }
  });
  window.addEventListener("hashchange", async () => {
    const linked = await ofAddress();
    if (linked) open(linked);
  });
  menu(byId("save"), byId("save-menu"), [
    ["Source", () => void saveAs("source")],
    ["Program (.wasm)", () => void saveAs("wasm")],
    ["Loader for JavaScript (.mjs)", () => void saveAs("mjs")],
    ["WebAssembly text (.wat)", () => void saveAs("wat")],
    ["Optimised IR (.ir)", () => void saveAs("ir")],
  ]);
  files.acceptDrops(document.body);
  gutter(byId("gutter"), byId("main"));
  theme(byId("theme"));
}

/** What is opened first: a program of the address, the visitor's own, or on a first visit one that shows something. */
async function first(): Promise<boolean> {
  const before = saved();
  const linked = await ofAddress();
  const named = new URLSearchParams(location.search).get("example");
  if (before && (linked || named) && kept.isOwn(before)) kept.keep(before);
  const path = before ? kept.example() : WELCOME;
  const example = linked || (!named && path === "") ? undefined : await openExample(named ?? path).catch(() => undefined);
  const isOwn = !linked && !named && before !== undefined && kept.isOwn(before);
  load(linked ?? (named ? undefined : before) ?? example?.project ?? EMPTY, example);
  if (isOwn) kept.openedOwn();
  return !linked && !named && !before;
}

/** On a first visit the program has run, and the picture shows its result before that is given back. */
async function welcome(): Promise<void> {
  await toggle();
  select("debug");
  await debug?.go([["end", false], ["release", true], ["inst", true]]);
  // Its steps have scrolled the listing.
  editor.view.scrollDOM.scrollTop = 0;
  if (!wasSeen()) tour.start(true);
}

async function start(): Promise<void> {
  listen();
  const [isFirst] = await Promise.all([first(), examples.load()]);
  const begin = performance.now();
  try {
    service = await Service.start();
  } catch (error) {
    state(`The compiler was not loaded: ${error instanceof Error ? error.message : error}`, "bad");
    return;
  }
  byId("about").textContent = `cleave ${service.about.version.split(" ")[0]} as WebAssembly · loaded in ${timeText(performance.now() - begin)}`;
  byId("about").title = service.about.version;
  byId<HTMLButtonElement>("run").disabled = false;
  stages = new Stages(service, () => project, (origin) => {
    const [, file, line] = /^(.*):(\d+)$/.exec(origin)!;
    if (file! in project.files && editor.shown !== file) show(file!);
    if (editor.shown === file) links.show(editor.view, [Number(line)]);
  });
  compare = new Compare(service, () => project);
  debug = new DebugPanel(service, {
    project: () => project,
    show: (place) => {
      if (!place) return showHere(editor.view, null);
      if (!(place.file in project.files)) return;
      if (editor.shown !== place.file) show(place.file);
      showHere(editor.view, place);
    },
    breakpoints: () => linesOf(editor.view).map((line) => [editor.shown, line]),
  });
  problems.about = service.about;
  state("ready");
  check();
  if (isFirst) await welcome();
  document.documentElement.dataset.ready = "true";
}

void start();
// For tests and for the curious.
const compileFiles = (files: Record<string, string>, main: string) => service?.compile(files, { main });
const go = (name: string, line: number) => {
  show(name);
  editor.go(line, 1);
};
Object.assign(globalThis, { playground: { load, project: () => project, cancel: () => service?.cancel(), compile: compileFiles, go } });
