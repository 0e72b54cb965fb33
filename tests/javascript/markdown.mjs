// The example `examples/embedding/markdown`: what CommonMark says, by hand, in `markdown.txt`; texts that are hard for
// parsers; and memory that stays as it is, however often the function is called.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

// All memories of modules from here on, to look at them.
const instances = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...parts) {
    super(...parts);
    instances.push(this);
  }
};
const { html } = await import(pathToFileURL(path.resolve(process.argv[2], "markdown.mjs")));
const samples = fs.readFileSync(new URL("markdown.txt", import.meta.url), "utf8").trimEnd().split("\n----\n")
  .map((sample) => sample.split("\n.\n"));
for (const [source, expected] of samples) {
  assert.equal(html(source), `${expected}\n`, source);
  assert.equal(html(source.replaceAll("\n", "\r\n")), `${expected}\n`, source);
}
assert.equal(html(""), "");

// Whoever looks again and again for what is not there takes minutes for these.
const hard = ["[", "](", "[a](", "[](<", "*a ", "*a_ ", "_a **b ", "**a*b", "`a``b", "> ", "- ", ">\n", "* a\n", "[[a]", "\\", "<a:", "a\n=\n",
  "[a](b \"", "(", " ", "\n", "\t", "#", "1. "];
for (const part of hard) {
  const begin = performance.now();
  html(part.repeat(100_000 / part.length));
  const time = performance.now() - begin;
  assert.ok(time < 5000, `${JSON.stringify(part)}: ${time} ms`);
}
html(Array.from({ length: 400 }, (_, n) => "`".repeat(n)).join(" "));
html("> ".repeat(20_000) + "a\n" + "b\n".repeat(20_000));

const text = samples.map(([source]) => source).join("\n\n");
const size = () => instances.map(({ exports }) => exports.memory?.buffer.byteLength);
const expected = html(text);
for (let n = 0; n < 300; n++) html(text);
const before = size();
assert.ok(before.some((bytes) => bytes > 0), "no memory was seen");
for (let n = 0; n < 10_000; n++) assert.equal(html(text), expected);
assert.deepEqual(size(), before);
console.log("ok");
