// The page in a real browser, by its parts as a visitor uses them: node page.mjs MODULES URL BROWSER SCREENSHOTS
// [PART], where MODULES is the folder of node modules that playground/build.sh has installed, and PART chooses parts
// by their names. Fails with the first thing that is wrong.

import assert from "node:assert/strict";
import clean from "./parts/clean.mjs";
import debugging from "./parts/debugging.mjs";
import editing from "./parts/editing.mjs";
import languages from "./parts/languages.mjs";
import looking from "./parts/looking.mjs";
import opening from "./parts/opening.mjs";
import running from "./parts/running.mjs";
import { address, browser, chosen, leave, requests, wrong } from "./visitor.mjs";

const parts = Object.entries({ ...opening, ...running, ...editing, ...looking, ...debugging, ...clean, ...languages });
try {
  for (const [name, part] of parts.filter(([name]) => name.includes(chosen))) {
    const begin = performance.now();
    try {
      await part();
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
    assert.deepEqual(wrong, [], name);
    if (process.env.CLEAVE_VERBOSE) console.error(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    await leave();
  }
  const elsewhere = requests.filter((url) => !url.startsWith(address) && !/^(?:blob|data):/.test(url));
  assert.deepEqual(elsewhere, [], "nothing is loaded from elsewhere");
} finally {
  await browser.close();
}
