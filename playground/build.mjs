// Bundles the npm package of the compiler and the page into target/playground. build.sh calls it with the profile that
// the compiler was built by: only for visitors (`web`) must it be small.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { addLanguage } from "./add-language.mjs";
import { buildPage } from "./build-page.mjs";

const here = import.meta.dirname;
const root = path.dirname(here);
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");
const out = path.join(target, "playground");
const profile = process.argv[2];
const isForVisitors = profile === "web";
const built = path.join(target, "wasm32-wasip1", profile);
const wasm = fs.readFileSync(path.join(built, isForVisitors ? "cleave.small.wasm" : "cleave.wasm"));
/** Bytes of the compressed compiler, which a visitor waits for. */
const LARGEST = 2_800_000;
/** Bytes of the compiler: of a larger one Chromium makes no instance at once on the thread of somebody else's page. */
const LARGEST_AT_ONCE = 8 << 20;
const common = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", logLevel: "warning" };

const tsc = (...args) =>
  execFileSync(process.execPath, [path.join(here, "node_modules/typescript/bin/tsc"), ...args], { stdio: "inherit" });
tsc("-p", path.join(here, "tsconfig.json"));

// The package.
const compiler = path.join(out, "compiler");
fs.rmSync(compiler, { recursive: true, force: true });
fs.mkdirSync(compiler, { recursive: true });
await build({ ...common, entryPoints: [path.join(here, "compiler/src/index.ts")], outfile: path.join(compiler, "index.js") });
tsc("-p", path.join(here, "compiler/tsconfig.json"), "--outDir", compiler);
fs.writeFileSync(path.join(compiler, "cleave.wasm"), wasm);
// Of which sources it was built, for tests.
const { load } = await import(pathToFileURL(path.join(compiler, "index.js")));
const about = (await load(wasm)).about;
fs.writeFileSync(path.join(compiler, "about.json"), JSON.stringify(about));
fs.copyFileSync(path.join(here, "compiler/README.md"), path.join(compiler, "README.md"));
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) fs.copyFileSync(path.join(root, name), path.join(compiler, name));
// The manifest, with the address of the project, which stands in Cargo.toml alone.
const manifest = JSON.parse(fs.readFileSync(path.join(here, "compiler/package.json"), "utf8"));
const address = /^repository = "(.*)"$/m.exec(fs.readFileSync(path.join(root, "Cargo.toml"), "utf8"))[1];
manifest.homepage = address;
manifest.repository = { type: "git", url: `git+${address.replace(/\.git$/, "")}.git`, directory: "playground/compiler" };
manifest.bugs = `${address}/issues`;
fs.writeFileSync(path.join(compiler, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

// The page.
const page = path.join(out, "page");
fs.rmSync(page, { recursive: true, force: true });
fs.mkdirSync(page, { recursive: true });
await buildPage(page, common);
// Its bytes travel compressed wherever the page lies: plain file servers do not compress.
const compressed = gzipSync(wasm, { level: isForVisitors ? 9 : 1 });
fs.writeFileSync(path.join(page, "cleave.wasm.gz"), compressed);

// The languages of the examples.
for (const name of ["ml", "scheme", "actors"]) {
  addLanguage(page, path.join(root, "examples", name, "language.json"), path.join(built, `${name}.wasm`));
}

// The same files as one, for the binary (src/cli/playground.rs): a line with name and length, then the bytes, which are
// compressed.
const pack = [];
for (const name of fs.readdirSync(page, { recursive: true }).map((name) => name.replaceAll("\\", "/")).sort()) {
  const file = path.join(page, name);
  if (!fs.statSync(file).isFile()) continue;
  const bytes = fs.readFileSync(file);
  const packed = name.endsWith(".gz") ? bytes : gzipSync(bytes, { level: 9 });
  pack.push(Buffer.from(`${name} ${packed.length}\n`), packed);
}
fs.writeFileSync(path.join(out, "page.pack"), Buffer.concat(pack));

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
console.log(`${out}: compiler ${kilobytes(wasm.length)}, compressed ${kilobytes(compressed.length)}`);
for (const [what, bytes, most] of [["compressed compiler", compressed.length, LARGEST], ["compiler", wasm.length, LARGEST_AT_ONCE]]) {
  if (!isForVisitors || bytes <= most) continue;
  console.error(`playground/build.sh: the ${what} has ${bytes} bytes; ${most} are allowed`);
  process.exitCode = 1;
}
