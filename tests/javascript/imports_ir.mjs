// Imports of a module of IR: numbers, and functions of two modules.
import assert from "node:assert/strict";
let next = 5n;
const said = [];
globalThis.hosts = {
  halved: (x) => x / 2,
  mix: (n, x, s, b) => [n, x, s, b].join(),
  count: () => next++,
  said: (n) => void said.push(n),
};
const lib = await import(`${process.argv[2]}/${process.argv[3]}.mjs`);
assert.equal(lib.half(7), 3.5);
assert.equal(lib.mixed(-1n, 0.5, "é", 255), "-1,0.5,-1,0.5,é,255,255");
assert.equal(lib.next(), 11n);
lib.tell(-3n);
assert.deepEqual(said, [-3n]);
globalThis.hosts.count = () => 7;
assert.throws(() => lib.next(), /count of \.\/counter\.mjs: 7 is no s64/);
globalThis.hosts.count = () => 1n;
assert.equal(lib.next(), 2n);
console.log("ok");
