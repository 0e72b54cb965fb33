// Programs of Clean: files that are dropped, and sources where Clean's compiler is there.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { address, drop, load, press, run, shoot, text, until, visit } from "../visitor.mjs";

const corpus = (name) => fs.readFileSync(new URL(`../../corpus/${name}`, import.meta.url), "utf8");

/** Says what Clean's compiler would say, whatever it is given. */
const STAND_IN = `start @main
static0 = text "Type error [wrong.icl,3,Start]: \\22Int\\22 cannot be unified with \\22Bool\\22\\0a"
func @main() {
block0:
  v0 = text static0
  call_rt print_text(v0)
  ret
}
`;

export default {
  async "files and folders can be dropped"() {
    const page = await visit();
    await drop(page, { "mmcalc.abc": corpus("mmcalc.abc"), "my lib/Ops.abc": corpus("Ops.abc"), "my lib/Basics.abc": corpus("Basics.abc"), "my lib/Clean System Files/Parsing.abc": corpus("Parsing.abc") });
    await until(page, "#toast", /files were added/);
    assert.match(await page.$eval("#flags", (input) => input.value), /-L "my lib"$/);
    assert.equal((await run(page, /^ended ·/)).trim(), corpus("mmcalc.expected").trim());
    await page.click("#tab-debug");
    await until(page, "#debug-status", /time/);
  },

  async "sources of Clean ask for Clean's compiler, whose messages are shown"() {
    const page = await visit(address);
    const source = "module wrong\n\nStart = 1 + True\n";
    // Nobody has put the compiler beside the page: that is no error.
    await page.evaluate(() => {
      const { fetch } = globalThis;
      globalThis.fetch = (url, ...more) => (/cocl\.wasm$/.test(String(url)) ? Promise.resolve(new Response("", { status: 404 })) : fetch(url, ...more));
    });
    await drop(page, { "wrong.icl": source });
    await until(page, "#problems", /need Clean's compiler/);
    const stand = await page.evaluate(async (text) => {
      const { wasm } = await globalThis.playground.compile({ "main.ir": text }, "main.ir");
      return btoa(Array.from(wasm, (byte) => String.fromCharCode(byte)).join(""));
    }, STAND_IN);
    await drop(page, {}, { "cocl.wasm": stand });
    await until(page, "#toast", /compiler is here/);
    await until(page, "#problems", /cannot be unified/);
    await page.waitForSelector("#editor .cm-lintRange-error");
    assert.match(await text(page, ".cm-lintRange-error"), /Start = 1 \+ True/);
    await run(page, /not compiled/);
    // It is kept for the next visit.
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await until(page, "#problems", /cannot be unified/);
  },

  async "sources of Clean are compiled in the page"() {
    const [compiler, home] = [process.env.CLEAVE_COCL_WASM, process.env.CLEAVE_COCL];
    if (!compiler || !home) return;
    const page = await visit();
    await drop(page, {}, { "cocl.wasm": fs.readFileSync(compiler).toString("base64") });
    await until(page, "#toast", /compiler is here/);
    const folder = path.join(home, "StdEnv");
    const library = fs.readdirSync(folder, { recursive: true }).filter((name) => /\.(?:abc|dcl)$/.test(name));
    const files = Object.fromEntries(library.map((name) => [`StdEnv/${name}`, fs.readFileSync(path.join(folder, name), "utf8")]));
    await drop(page, { ...files, "sieve.icl": "module sieve\n\nimport StdEnv, Doubling\n\nStart = take 9 (sieve [doubled 1..])\n\nsieve [p:xs] = [p : sieve [x \\\\ x <- xs | x rem p <> 0]]\n",
      "Doubling.icl": "implementation module Doubling\n\nimport StdInt\n\ndoubled :: Int -> Int\ndoubled n = 2 * n\n", "Doubling.dcl": "definition module Doubling\n\ndoubled :: Int -> Int\n" });
    await until(page, "#toast", /files were added/);
    await until(page, "#files", /Doubling\.dcl/);
    const output = await run(page, /^ended ·|^not/);
    assert.match(output, /\[2,3,5,7,11,13,17,19,23\]/);
    await page.click(".cm-content");
    await press(page, "Control+End");
    await page.keyboard.type("wrong = 1 + True\n");
    await until(page, "#problems", /sieve\.icl:\d+/);
    await shoot(page, "clean");
    const written = await page.evaluate(() => globalThis.playground.project().files);
    await load(page, { ...written, "sieve.icl": written["sieve.icl"].replace(/^wrong.*\n/m, "") }, { main: "sieve.icl", flags: "-L StdEnv" });
    await page.click("#tab-debug");
    await until(page, "#debug-status", /time/);
    for (let change = 0; change < 12; change++) {
      await page.waitForSelector("#debug-event:not([disabled])");
      await page.click("#debug-event");
    }
    await page.waitForSelector("#debug-event:not([disabled])");
    await until(page, ".calls", /\w+/);
    await shoot(page, "clean-debugger");
  },
};
