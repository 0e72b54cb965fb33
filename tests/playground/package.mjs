// The npm package as somebody gets it: node package.mjs PACKAGE MODULES. It is packed, put into a project, and used
// there under its name, from TypeScript that is checked strictly with the package's own types, as node runs it. MODULES
// is the folder of node modules with the compiler of TypeScript.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [where, modules] = process.argv.slice(2).map((name) => path.resolve(name));
const project = fs.mkdtempSync(path.join(os.tmpdir(), "cleave-package-"));
const call = (program, ...args) => {
  try {
    return execFileSync(program, args, { cwd: project, encoding: "utf8" });
  } catch (error) {
    assert.fail(`${program} ${args.join(" ")}: ${error.stdout}${error.stderr}`);
  }
};

const USER = `import { load, Files, type Completion, type Diagnostic, type Hover, type Result, type State } from "@cleave/compiler";
import { readFileSync } from "fs";
import { fileURLToPath } from "url";

const compiler = await load(readFileSync(fileURLToPath(import.meta.resolve("@cleave/compiler/cleave.wasm"))));
const files = { "main.goo": "(): Int\\nmain = 6 * 7;\\n" };
const result: Result = compiler.compile(files, { main: "main.goo", flags: ["-O1"], stages: ["build", "wat"] });
const wrong: readonly Diagnostic[] = compiler.check({ "main.goo": "main = (" }, "main.goo");
const hover: Hover | undefined = compiler.hover(files, "main.goo", { line: 1, character: 2 });
const completions: Completion[] = compiler.completions({ "x.ir": "fu" }, "x.ir", { line: 0, character: 2 });
const debugged = compiler.debug(files, { main: "main.goo" });
const state: State | undefined = debugged.debugger?.step("end");
const status: number = compiler.call(["explain", "E0203"], new Files()).status;
console.log(JSON.stringify([result.ok, result.wasm!.length > 0, /module/.test(result.stages.wat!), wrong.length > 0, hover?.text,
  completions[0]?.name, state?.ended?.status, status]));
`;
/** What the user has of node, without its own types. */
const AMBIENT = `declare module "fs" { export function readFileSync(name: string): Uint8Array<ArrayBuffer>; }
declare module "url" { export function fileURLToPath(url: string): string; }
`;

try {
  const tarball = JSON.parse(call("npm", "pack", "--json", "--ignore-scripts", where))[0].filename;
  const folder = path.join(project, "node_modules/@cleave/compiler");
  fs.mkdirSync(folder, { recursive: true });
  call("tar", "-xzf", tarball, "-C", folder, "--strip-components=1");
  fs.writeFileSync(path.join(project, "package.json"), JSON.stringify({ type: "module" }));
  fs.writeFileSync(path.join(project, "user.ts"), USER);
  fs.writeFileSync(path.join(project, "ambient.d.ts"), AMBIENT);
  call(process.execPath, path.join(modules, "typescript/bin/tsc"), "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom",
    "--types", "", "user.ts", "ambient.d.ts");
  assert.deepEqual(JSON.parse(call(process.execPath, "user.js")), [true, true, true, true, "(): Int main", "func", 0, 0]);
} finally {
  fs.rmSync(project, { recursive: true, force: true });
}
