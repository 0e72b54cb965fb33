// The milliseconds of each key, by the clock: a text, and a letter more each time. In node the arguments are the file
// of the text and how many keys; `keys.html` imports this file.
import { html } from "./markdown.mjs";

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

export async function keys(text, count) {
  // As the page begins. (The first look at the clock loads what it needs.)
  html("");
  performance.now();
  await pause(200);
  const times = [];
  for (let n = 0; n < count; n++) {
    const begin = performance.now();
    html(text + "x".repeat(n));
    times.push(performance.now() - begin);
    await pause(5);
  }
  return times;
}

if (globalThis.process) {
  const fs = await import("node:fs");
  const [file, count] = process.argv.slice(2);
  console.log(JSON.stringify(await keys(fs.readFileSync(file, "utf8"), Number(count))));
}
