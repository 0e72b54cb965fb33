// Languages beside the page: the three of `examples`.

import assert from "node:assert/strict";
import fs from "node:fs";
import { example, load, requests, run, settled, shoot, text, until, visit } from "../visitor.mjs";

const folders = { ml: "ml", scm: "scheme", act: "actors" };
const examples = new URL("../../../examples/", import.meta.url);

export default {
  async "programs of languages beside the page run"() {
    const first = requests.length;
    const page = await visit();
    const asked = () => requests.slice(first).filter((url) => /languages\/\w+\.wasm\.gz$/.test(url)).length;
    const before = asked();
    for (const [ending, folder] of Object.entries(folders)) {
      const { examples: all } = JSON.parse(fs.readFileSync(new URL(`${folder}/language.json`, examples), "utf8"));
      for (const { file } of all) {
        const name = file.replace(/.*\/|\.\w+$/g, "");
        const { main } = await example(page, `${ending}/${name}`);
        assert.equal(main, `${name}.${ending}`);
        const wanted = fs.readFileSync(new URL(`${folder}/${file.replace(/\.\w+$/, ".expected")}`, examples), "utf8");
        assert.equal((await run(page, /^ended ·/)).trim(), wanted.trim(), main);
      }
      await page.click("#tab-stages");
      await settled(page);
      assert.match(await text(page, "#stages"), /version \d+module "/);
      await page.click("#tab-run");
    }
    // A front end is there once it is needed, and once.
    assert.deepEqual([before, asked()], [0, 3]);
    assert.equal(await page.$$eval("#editor .tok-keyword", (all) => all.length > 0), true, "colours");
    await shoot(page, "languages");
  },

  async "what is wrong with them is told where it is, on both heaps"() {
    const page = await visit();
    await load(page, { "wrong.ml": "let x = 1\nlet y = x + \"a\"\n" });
    await until(page, "#problems", /wrong\.ml:2/);
    await page.waitForSelector("#editor .cm-lintRange-error");
    await run(page, /not compiled/);
    await load(page, { "sum.ml": "let rec sum n = if n = 0 then 0 else n + sum (n - 1)\nlet () = print_int (sum 100)\n" }, { flags: "--memory=rc" });
    await until(page, "#state", /no problems/);
    assert.equal((await run(page, /^ended ·/)).trim(), "5050");
    await page.click("#tab-debug");
    await until(page, "#debug-status", /time/);
    // A front end that is not there is no error of the page.
    await page.evaluate(() => {
      const { fetch } = globalThis;
      globalThis.fetch = (url, ...more) => (/scm\.wasm/.test(String(url)) ? Promise.resolve(new Response("", { status: 404 })) : fetch(url, ...more));
    });
    await load(page, { "one.scm": "(write 1)\n" });
    await until(page, "#problems", /front end of Scheme is not there/);
  },
};
