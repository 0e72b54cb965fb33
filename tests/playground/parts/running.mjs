// Programs run: output, input, how they end, and what they do to the page.

import assert from "node:assert/strict";
import fs from "node:fs";
import { accessible, address, example, FIB, isFirefox, load, reuse, run, shoot, text, until, visit } from "../visitor.mjs";

// A hundred million bytes of digits and line breaks.
const LOUD = `start @main
static0 = text "${"123456789,".repeat(9)}123456789\\0a"
func @main() {
block0:
  v0 = iconst.i64 1000000
  jump block1(v0)
block1(v1: i64):
  v2 = text static0
  call_rt print_text(v2)
  v3 = iconst.i64 1
  v4 = isub v1, v3
  v5 = iconst.i64 0
  v6 = eq v4, v5
  br_if v6, block2, block1(v4)
block2:
  ret
}
`;

/** A list of so many cells, of which 20 bytes are needed each, that is built and then counted. */
const LONG = (cells) => `enum List = Nil, Cons(Int, List);

(Int, List): List
build(n, list) = match n { 0: list, more: build(more - 1, Cons(more, list)) };

(List, Int): Int
length(list, so_far) = match list { Nil: so_far, Cons(_, rest): length(rest, so_far + 1) };

(): Int
main = length(build(${cells}, Nil), 0);
`;

const TICKING = `class Main {
  function loop(n: int): int = Main.loop(n + 1)
  function main(): unit = {
    Builtins.println("tick");
    Builtins.println(Builtins.intToString(Main.loop(0)))
  }
}
`;
const DEEP = "Int: Int\ndown n = match n { 0: 0, more: 1 + down(more - 1) };\n\n(): Int\nmain = down 5000000;\n";
const BOTTOMLESS = "Int: Int\ndown n = 1 + down(n + 1);\n\n(): Int\nmain = down 0;\n";

export default {
  async "every example prints what it says"() {
    const page = await reuse();
    const index = await page.evaluate(async () => (await fetch("examples/index.json")).json());
    assert.ok(index.length > 20, "there are examples of all languages");
    for (const { path: name } of index) {
      const project = await example(page, name);
      await page.waitForSelector("#editor .tok-comment, #editor .tok-keyword").catch(() => assert.fail(`${name} has no colours`));
      const output = await run(page).catch((error) => assert.fail(`${name}: ${error.message}`));
      const expected = /^(?:\/\/|;) prints (.*)/.exec(project.files[project.main])?.[1];
      if (expected !== undefined) assert.equal(output.trim(), expected, name);
      else assert.ok(output.trim().length > 0 && /^ended ·/.test(await text(page, "#run-status")), name);
    }
  },

  async "the line after a run says what happened to memory"() {
    const page = await reuse();
    await example(page, "goo/list");
    await run(page, /cells allocated/);
    assert.match(await text(page, "#run-status"), /10 cells allocated, \d+ reused, 10 freed/);
    await page.select("#memory", "--memory=gc");
    await run(page, /ended/);
    assert.match(await text(page, "#run-status"), /B allocated/);
    await load(page, { "main.goo": LONG(3_000_000) }, { flags: "--memory=gc" });
    await run(page, /collections/);
  },

  async "an endless program is stopped"() {
    const page = await reuse();
    // What it has printed is seen while it runs.
    await load(page, { "Main.sam": TICKING });
    await page.click("#run");
    await until(page, "#output", /tick/);
    await until(page, "#run-status", /running/);
    await until(page, "#run-text", /Stop/);
    await page.click("#run");
    await until(page, "#run-status", /stopped/);
    await load(page, { "main.goo": FIB });
    assert.match(await run(page), /6765/);
  },

  async "a hundred million bytes of output do no harm"() {
    const page = await reuse();
    await load(page, { "main.ir": LOUD });
    const output = await run(page, /^ended/);
    assert.ok(output.length > 2e5 && output.length < 4e5, `${output.length} characters are shown`);
    assert.match(output, /100\.0 MB altogether/);
    assert.match(output, /123456789\s*$/);
  },

  async "a heap of a gigabyte does no harm, and one that is too large is told"() {
    const page = await reuse();
    const cells = 55_000_000;
    await load(page, { "main.goo": LONG(cells) });
    assert.equal((await run(page, /^ended/)).trim(), String(cells));
    const [, megabytes] = /memory ([\d.]+) MB/.exec(await text(page, "#run-status"));
    assert.ok(Number(megabytes) > 1000, `${megabytes} MB were used`);
    await load(page, { "main.goo": LONG(1_000_000_000) });
    assert.match(await run(page, /^ended with status/), /heap/i);
    await load(page, { "main.goo": FIB });
    assert.match(await run(page), /6765/);
  },

  async "recursion is as deep as memory allows"() {
    const page = await reuse();
    await load(page, { "main.goo": DEEP });
    assert.equal((await run(page, /^ended/)).trim(), "5000000");
    await load(page, { "main.goo": BOTTOMLESS });
    assert.match(await run(page, /^ended with status/), /Stack overflow/);
    await load(page, { "main.goo": FIB });
    assert.match(await run(page), /6765/);
  },

  async "input and arguments reach the program, and a run-time error is told"() {
    const page = await visit(`${address}?example=clean/life`);
    assert.match(await text(page, "#files"), /life\.icl.*life\.abc/);
    await run(page);
    const file = (name) => fs.readFileSync(new URL(`../../corpus/${name}`, import.meta.url), "utf8");
    await load(page, { "div_zero.abc": file("errors/div_zero.abc") });
    await run(page, /ended with status/);
    await load(page, { "x.goo": "(): Int\nmain = 1 + zero 4;\n\nInt: Int\nzero n = match n { 0: 1 / 0, more: 1 + zero(more - 1) };\n" }, { flags: "-O0 --trace" });
    assert.match(await run(page, /ended with status/), /division by zero.*zero \[module: x\.goo:5\], 5 times\s+main \[module: x\.goo:2\]/s);
    // An option of Clean's programs: the result is not shown.
    await example(page, "clean/fibs");
    assert.notEqual((await run(page, /^ended ·/)).trim(), "");
    await page.$eval("details.input", (details) => (details.open = true));
    await page.type("#args", "-nr");
    assert.match(await run(page, /^ended ·/), /nothing was printed/);
    await load(page, { "stdinio.abc": file("stdinio.abc") }, { input: file("stdinio.stdin") });
    assert.equal((await run(page, /^ended ·/)).trim(), file("stdinio.expected").trim());
  },

  async "a lost worker is replaced"() {
    const page = await visit();
    await page.evaluate(() => globalThis.playground.cancel());
    assert.match(await run(page), /6765/);
    if (isFirefox) return;
    const lose = async (name) => {
      const worker = page.workers().find((one) => one.url().endsWith(`${name}.worker.js`));
      await worker.evaluate(() => void setTimeout(() => { throw new Error("lost on purpose"); }));
      // Until the page has heard of it.
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    await lose("compiler");
    assert.match(await run(page), /6765/);
    await page.click("#tab-debug");
    await until(page, "#debug-status", /time/);
    await lose("debug");
    await until(page, "#debug-status", /lost on purpose/);
    await page.click("#debug-start");
    await until(page, "#debug-status", /time/);
  },

  async "two settings are compared"() {
    const page = await reuse();
    await example(page, "goo/queens");
    await page.click("#tab-compare");
    await page.click("#compare");
    await until(page, "#panel-compare .status", /printed the same/);
    assert.ok((await page.$$(".measure")).length >= 3);
    // With and without fip: other cells.
    await example(page, "goo/list");
    await page.select("[aria-label='Settings to compare']", "2");
    await page.click("#compare");
    await until(page, "#panel-compare .chart", /cells used again.*references retained/);
    // Counted and traced memory, for samlang.
    await example(page, "sam/derive");
    await page.select("[aria-label='Settings to compare']", "1");
    await page.click("#compare");
    await until(page, "#panel-compare .status", /round/);
    await until(page, "#panel-compare .status", /printed the same/);
    assert.match(await text(page, "#panel-compare .chart"), /run time.*heap at most/);
    await accessible(page, "the comparison");
    await shoot(page, "compare");
    await page.click("#tab-run");
  },
};
