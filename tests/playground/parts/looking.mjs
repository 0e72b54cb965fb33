// Stages, documents, and the package in a page of somebody else.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { accessible, address, browser, example, FIB, isFirefox, reuse, run, settled, shoot, text, until } from "../visitor.mjs";

/** Clicks on a line of a stage, the first that has such a text, or of those that are marked. */
async function click(page, side, part, lines = ".cm-line") {
  const place = await page.waitForFunction((side, source, selector) => {
    const lines = [...document.querySelectorAll(`.stage:nth-child(${side}) ${selector}`)];
    const code = document.querySelector(`.stage:nth-child(${side}) .cm-scroller`).getBoundingClientRect();
    const all = lines.filter((one) => new RegExp(source).test(one.textContent));
    for (const line of all) {
      const { left, top, bottom, height } = line.getBoundingClientRect();
      if (top > code.top && bottom < code.bottom) return [left + 20, top + height / 2];
    }
    all[0]?.scrollIntoView({ block: "center" });
    return null;
  }, {}, side, part.source, lines);
  await page.mouse.click(...(await place.jsonValue()));
}

export default {
  async "two stages stand side by side, with their differences"() {
    const page = await reuse();
    await example(page, "goo/list");
    await page.click("#tab-stages");
    await page.waitForSelector(".stage .cm-changed");
    await until(page, "#stages-status", /lines only left/);
    const [left, right] = await page.$$(".stage select");
    await left.select("tree");
    await until(page, ".stage:nth-child(1) .cm-content", /type List = Nil \| Cons\(Int, List\)/);
    await right.select("wat");
    await until(page, ".stage:nth-child(2) .cm-content", /\(module/);
    // A line leads to the line of the source that it came from, and to what else became of it.
    await click(page, 1, /Cons\(x: Int, rest: List\) =>/);
    await page.waitForSelector("#editor .cm-linked");
    await page.waitForSelector(".stage:nth-child(2) .cm-linked");
    await shoot(page, "tree");
    await left.select("roots");
    await right.select("rc-insertion");
    // At the beginning, or where it is scrolled to.
    await until(page, ".stage:nth-child(2) .cm-content", /heap rc|\b(retain|reset|reuse)\b/);
    await until(page, ".stage:nth-child(1) .cm-content", /does not run/);
    await page.select("#memory", "--memory=gc");
    await until(page, ".stage:nth-child(1) .cm-content", /phase=rooted/);
    await right.select("build");
    await until(page, ".stage:nth-child(2) .cm-content", /func @range/);
    await click(page, 2, /build/);
    await page.waitForSelector("#editor .cm-linked");
    await page.waitForSelector(".stage:nth-child(2) .cm-linked");
    await accessible(page, "the view of stages");
    await shoot(page, "stages");
    // Programs of Clean have no typed tree, which takes nothing away.
    await example(page, "clean/fibs");
    await left.select("tree");
    await until(page, ".stage:nth-child(1) .cm-content", /have a typed tree/);
    await until(page, ".stage:nth-child(2) .cm-content", /func @/);
    await page.click("#tab-run");
  },

  async "a line of any language shows what it became, and where it came from"() {
    const page = await reuse();
    await page.click("#tab-stages");
    const [left, right] = await page.$$(".stage select");
    // A line of the source, the last one that has the text, and what the front end makes of it.
    const lines = [
      ["goo/list", "reverse_onto(list, end) =", "lib/list.goo", /func @reverse_onto/],
      ["sam/derive", "Add(a.derive(), b.derive())", "derive.sam", /build|get\.ref/],
      ["ir/sum", "v6 = iadd v3, v2", "sum.ir", /iadd/],
      ["clean/fibs", "\taddI", "fibs.abc", /iadd/],
    ];
    for (const [name, part, file, made] of lines) {
      const { files } = await example(page, name);
      await left.select("build");
      await right.select("wat");
      await settled(page);
      assert.match(await text(page, ".stage:nth-child(2) .cm-content"), /\(module/);
      const line = files[file].split("\n").slice(0, 520).findLastIndex((line) => line.includes(part)) + 1;
      assert.ok(line > 0, `${file} has no ${part}`);
      await page.evaluate((file, line) => globalThis.playground.go(file, line), file, line);
      for (const side of [1, 2]) {
        await page.waitForSelector(`.stage:nth-child(${side}) .cm-linked`).catch(() => assert.fail(`${name}: nothing on side ${side} came from ${part}`));
      }
      assert.match(await page.$$eval(".stage:nth-child(1) .cm-linked", (all) => all.map((one) => one.textContent).join("\n")), made, name);
      await shoot(page, `lines-${name.replace("/", "-")}`);
      // And back, from WebAssembly.
      await click(page, 2, /./, ".cm-linked");
      await page.waitForSelector("#editor .cm-linked");
    }
  },

  async "documents open, and their programs too"() {
    const page = await reuse();
    await page.click("#tab-docs");
    await page.waitForSelector("#panel-docs h1");
    await accessible(page, "a document");
    await shoot(page, "docs");
    await page.click("#panel-docs button.open");
    await page.waitForFunction(() => globalThis.playground.project().files["main.goo"]?.includes("fib"));
    assert.match(await run(page), /6765/);
    // Every whole program of the documents runs, and prints what it says.
    for (const [name, ending] of [["goopea", "goo"], ["samlang", "sam"], ["ir", "ir"], ["your-language", "ir"]]) {
      await page.click("#tab-docs");
      await page.select("[aria-label=Document]", name);
      const count = async () => (await page.$$("#panel-docs button.open")).length;
      await page.waitForFunction((name) => document.querySelector("#panel-docs article").dataset.document === name, {}, name);
      const programs = await count();
      assert.ok(programs > 0, `${name} has programs`);
      for (let number = 0; number < programs; number++) {
        await page.click("#tab-docs");
        await page.evaluate((number) => document.querySelectorAll("#panel-docs button.open")[number].click(), number);
        const project = await page.evaluate(() => globalThis.playground.project());
        assert.ok(project.main.endsWith(`.${ending}`));
        const output = await run(page, /^ended|^not/).catch((error) => assert.fail(`${name}, program ${number + 1}: ${error.message}`));
        const expected = /^(?:\/\/|;) prints (.*)/m.exec(project.files[project.main])?.[1];
        if (expected !== undefined) assert.equal(output.trim(), expected, `${name}, program ${number + 1}`);
        else assert.match(await text(page, "#run-status"), /^ended ·/, `${name}, program ${number + 1}: ${output}`);
      }
    }
  },

  async "the package works in any page"() {
    const folder = path.join(process.env.CLEAVE_PACKAGE ?? "", ".");
    // One that was built unoptimised is too large for the page's own thread (playground/build.mjs).
    if (isFirefox || fs.statSync(path.join(folder, "cleave.wasm")).size > 8 << 20) return;
    const page = await (await browser.createBrowserContext()).newPage();
    await page.goto(`${address}icon.svg`);
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const name = /\/package\/([\w.-]+)$/.exec(request.url())?.[1];
      if (!name) return request.continue();
      const contentType = name.endsWith(".js") ? "text/javascript" : "application/wasm";
      request.respond({ contentType, body: fs.readFileSync(path.join(folder, name)) });
    });
    const found = await page.evaluate(async (source) => {
      const { load } = await import("/package/index.js");
      const compiler = await load(fetch("/package/cleave.wasm"));
      const { ok, wasm } = compiler.compile({ "main.goo": source }, { main: "main.goo" });
      return [ok, WebAssembly.validate(wasm), compiler.hover({ "main.goo": source }, "main.goo", { line: 7, character: 8 })?.text];
    }, FIB);
    assert.deepEqual(found.slice(0, 2), [true, true]);
    assert.match(found[2], /fib/);
  },
};
