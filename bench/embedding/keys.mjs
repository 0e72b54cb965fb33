// The milliseconds of each key, by the clock: a text of 100 kB, and a letter more each time. The arguments are the text
// and how many keys.
import fs from "node:fs";

const { html } = await import("./markdown.mjs");
const text = fs.readFileSync(process.argv[2], "utf8");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// As the page begins. (The first look at the clock loads what it needs.)
html("");
performance.now();
await pause(200);
const times = [];
for (let n = 0; n < Number(process.argv[3]); n++) {
  const begin = performance.now();
  html(text + "x".repeat(n));
  times.push(performance.now() - begin);
  await pause(5);
}
console.log(JSON.stringify(times));
