// Functions as results of what components import, and reals of 32 bits, behind what jco makes of them.
import assert from "node:assert/strict";
const folder = process.argv[2];
const { CallbackF32ToF32, gone } = await import(`${folder}/given.mjs`);
const { api: added } = await import(`${folder}/added-counted.js`);
const { api: reals } = await import(`${folder}/reals-counted.js`);
for (let n = 0; n < 3000; n++) assert.equal(added.added(n), 3 * n + 1);
assert.equal(gone(), 6000);
assert.deepEqual([5, 0.1, -Infinity].map(reals.half), [2.5, Math.fround(0.1) / 2, -Infinity]);
assert.equal(reals.mix(255, 0.1, "é", 2.5), Math.fround(Math.fround(0.1) - 2.5 + 256));
assert.equal(reals.either({ tag: "ok", val: 6.5 }), 1.5);
assert.throws(() => reals.either({ tag: "err", val: 10 }));
const short = Math.fround(0.1);
assert.equal(reals.scaled(0.1, 3), Math.fround(Math.fround(short * 3) * short));
const made = new reals.FunctionF32ToF32(new CallbackF32ToF32((x) => x - 0.25));
assert.deepEqual([reals.call(made, 0.5), made.call(1)], [0.25, 0.75]);
console.log("ok");
