// The interface of the npm package in node: node api.mjs PACKAGE. Fails with what is not as it should be.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { pathToFileURL } from "node:url";

const where = process.argv[2];
const { load, instantiate, Files, Exit } = await import(pathToFileURL(path.join(where, "index.js")));
const bytes = fs.readFileSync(path.join(where, "cleave.wasm"));
const compiler = await load(bytes);

const good = "Int: Int\nfib n = match n < 2 {\n    True: n,\n    False: fib(n - 1) + fib(n - 2)\n};\n\n(): Int\nmain = fib 20;\n";

// A program with stages, and that it runs.
const result = compiler.compile({ "main.goo": good }, { main: "main.goo", flags: ["--memory=gc"], stages: ["build", "roots", "wat"] });
assert.ok(result.ok);
assert.deepEqual(result.diagnostics, []);
assert.equal(result.log, "");
assert.deepEqual(Object.keys(result.stages), ["build", "roots", "wat"]);
assert.match(result.stages.build, /func @fib/);
assert.match(result.stages.wat, /^\(module/);
assert.match(result.declarations, /export function run/);
let printed = "";
const world = { args: ["main"], files: new Files(), write: (_, text) => (printed += new TextDecoder().decode(text)) };
const program = instantiate(await WebAssembly.compile(result.wasm), world);
program.rt_embedded?.();
try {
  program._start();
} catch (error) {
  assert.ok(error instanceof Exit, String(error));
  assert.equal(error.status, 0);
}
assert.equal(printed.trim(), "6765");

// What is wrong, with its place; in folders, too.
const wrong = compiler.compile({ "lib/main.goo": good.replace("fib 20", "fob 20") }, { main: "lib/main.goo" });
assert.equal(wrong.ok, false);
assert.equal(wrong.wasm, undefined);
const [diagnostic] = wrong.diagnostics;
assert.equal(diagnostic.level, "error");
assert.deepEqual([diagnostic.spans[0].file, diagnostic.spans[0].line, diagnostic.spans[0].column], ["lib/main.goo", 8, 8]);
assert.ok(compiler.about.codes.some(({ code }) => code === diagnostic.code));
assert.equal(compiler.check({ "main.goo": good }, "main.goo").length, 0);
assert.equal(compiler.check({ "main.goo": good.replace("n < 2", "n < ") }, "main.goo").length > 0, true);

// No file, no flag, no stage: a status and a message, never an exception.
assert.equal(compiler.compile({}, { main: "main.goo" }).status, 1);
const flag = compiler.compile({ "main.goo": good }, { main: "main.goo", flags: ["--no-such-flag"] });
assert.equal(flag.status, 2);
assert.match(flag.log, /--no-such-flag/);
assert.equal(compiler.compile({ "main.goo": good }, { main: "main.goo", stages: ["none"] }).status, 2);

// Any command, and files that it writes.
const explained = compiler.call(["explain", diagnostic.code]);
assert.equal(explained.status, 0);
assert.match(explained.stdout, new RegExp(`^${diagnostic.code}: `));
const files = new Files({ "/ir/main.ir": result.stages.build });
assert.equal(compiler.call(["interp", "/ir/main.ir"], files).stdout.trim(), "6765");
assert.equal(compiler.call(["opt", "/ir/main.ir", "--pass", "simplify", "-o", "/ir/new.ir"], files).status, 0);
assert.match(files.text("/ir/new.ir"), /func @fib/);
assert.equal(compiler.call(["run", "/ir/main.ir"], files).status, 1);

// The debugger: forwards and backwards, variables, cells, breakpoints.
const lists = `enum List = Nil, Cons(Int, List);

(Int, Int): List
range(from, to) = match from > to {
    True: Nil,
    False: Cons(from, range(from + 1, to))
};

List: Int
sum list = match list { Nil: 0, Cons(x, rest): x + sum rest };

(): Int
main = sum range(1, 4);
`;
const { debugger: debug, diagnostics } = compiler.debug({ "main.goo": lists }, { main: "main.goo", flags: ["--memory=rc"] });
assert.deepEqual(diagnostics, []);
const begin = debug.state.time;
assert.equal(debug.state.calls[0].file, "main.goo");
assert.equal(debug.stopAt("main.goo", 10).breakpoints[0].line, 10);
assert.equal(debug.step("end").stop, "breakpoint");
assert.equal(debug.state.calls[0].line, 10);
const conses = debug.state.cells.filter(({ name }) => name === "Cons");
assert.deepEqual(conses.map(({ count }) => count), [1, 1, 1, 1]);
assert.deepEqual(conses.map(({ fields }) => fields[0].text), ["1", "2", "3", "4"]);
assert.ok(conses.every(({ named }) => named), "a variable leads to them");
assert.equal(conses[0].fields[1].cell, conses[1].address);
assert.deepEqual(debug.state.variables.map(({ name, cell }) => [name, cell]), [["list", conses[0].address]]);
const there = debug.state.time;
assert.equal(debug.clear(0).breakpoints.length, 0);
assert.equal(debug.step("end").stop, "ended");
assert.equal(debug.state.stdout, "10\n");
assert.equal(debug.state.ended.status, 0);
assert.deepEqual(debug.goTo(there).variables.length, 1);
assert.ok(debug.step("change", true).time < there);
assert.equal(debug.step("end", true).time, begin);
assert.throws(() => debug.step("nowhere"), /no command/);
assert.equal(compiler.debug({ "main.goo": "main" }, { main: "main.goo" }).diagnostics[0].level, "error");

// What becomes of memory; and what a program has printed lives, though no variable leads to it, until it is given back.
const left = `${lists.split("List: Int")[0]}(): List\nmain = range(1, 3);\n`;
assert.match(compiler.compile({ "main.goo": left }, { main: "main.goo", check: true, memory: true }).memory, /^range\n.* Nil is an atom\n.* Cons is new\n/m);
const { debugger: end } = compiler.debug({ "main.goo": left }, { main: "main.goo", flags: ["--memory=rc"] });
for (const [step, backward] of [["end", false], ["release", true], ["inst", true]]) end.step(step, backward);
assert.deepEqual([end.state.stdout.trim(), end.state.cells.map(({ name, named }) => `${name} ${named}`)], ["[1, 2, 3]", Array(3).fill("Cons false")]);
end.step("inst");
assert.deepEqual(end.state.cells.map(({ kind }) => kind), ["free"], "what was just given back is seen once more");

// What editors ask: types, completions, definitions, the form of a file.
const spread = { "main.goo": `#include lib.goo\n${good.replace("fib 20", "twice(fib 20)")}`, "lib.goo": "// Both.\nInt: Int\ntwice n = n + n;\n" };
const at = { line: 8, character: 9 };
const { text: shown, comment, range } = compiler.hover(spread, "main.goo", at);
assert.match(shown, /Int: Int\s+twice/);
assert.deepEqual([comment, range.start], ["Both.", { line: 8, character: 7 }]);
assert.deepEqual(compiler.definition(spread, "main.goo", at), { file: "lib.goo", range: { start: { line: 2, character: 0 }, end: { line: 2, character: 5 } } });
assert.equal(compiler.hover(spread, "main.goo", { line: 0, character: 0 }), undefined);
const names = compiler.completions(spread, "main.goo", { line: 8, character: 9 }).map(({ name, sort }) => `${sort} ${name}`);
assert.ok(["function fib", "function twice", "keyword let"].every((name) => names.includes(name)), names.join(", "));
assert.equal(compiler.formatted({ "main.goo": good.replace("True: n,", "True:n,") }, "main.goo"), good);
assert.equal(compiler.formatted({ "main.goo": good }, "main.goo"), good);
assert.equal(compiler.formatted({ "main.goo": "main = (" }, "main.goo"), undefined);
assert.equal(compiler.formatted({}, "none.goo"), undefined);

// The typed tree, and where WebAssembly came from.
const traced = compiler.compile({ "main.goo": good }, { main: "main.goo", flags: ["--locations"], stages: ["tree", "wat"] });
assert.match(traced.stages.tree, /fib\(n: Int\): Int = +; main\.goo:2:1/);
assert.match(traced.stages.wat, / ;; main\.goo:4:\d+/);

// A compressed compiler, and a module of it.
assert.equal((await load(gzipSync(bytes))).about.version, compiler.about.version);
assert.ok((await load(compiler.module)).compile({ "main.goo": good }, { main: "main.goo" }).ok);
