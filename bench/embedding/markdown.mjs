// A Markdown of 100 kB, once more at each key: the first calls, the others, and the memory over 100,000 calls with a
// small one. The text is the argument.
import fs from "node:fs";

const instances = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...parts) {
    super(...parts);
    instances.push(this);
  }
};
const { html } = await import("./markdown.mjs");
let text = fs.readFileSync(process.argv[2], "utf8");
text = text.repeat(1 + 100_000 / text.length).slice(0, 100_000);
const times = [];
for (let n = 0; n < 200; n++) {
  const begin = process.cpuUsage();
  html(text + "x".repeat(n));
  const { user, system } = process.cpuUsage(begin);
  times.push((user + system) / 1000);
}
const sorted = (list) => list.toSorted((a, b) => a - b);
console.log(`first key ${times[0].toFixed(1)} ms`);
console.log(`key, in the middle ${sorted(times)[100].toFixed(1)} ms`);
console.log(`key, worst after ten ${sorted(times.slice(10)).at(-1).toFixed(1)} ms`);
const size = () => instances.reduce((sum, { exports }) => sum + (exports.memory?.buffer.byteLength ?? 0), 0);
const before = size();
for (let n = 0; n < 1e5; n++) html("*a* `b` [c](d)\n\n- e\n");
console.log(`memory after many more calls, grown by ${size() - before} bytes`);
