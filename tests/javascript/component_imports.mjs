// Components whose functions of the host are modules of JavaScript, behind what jco makes of them.
import assert from "node:assert/strict";
const folder = process.argv[2];
const { said, Element } = await import(`${folder}/net.mjs`);
const plain = await import(`${folder}/plain-counted.js`), { api } = await import(`${folder}/objects-counted.js`);
for (const lib of [plain, api]) {
  assert.equal(lib.size("ü€"), 7);
  assert.equal(lib.size("bad"), -1);
  assert.equal(lib.why("bad"), "failed: no bad");
  assert.equal(lib.sum(10), 110);
  assert.deepEqual(lib.moved([{ x: 1, y: 2 }, { x: 3, y: 4 }], 10), [{ x: 11, y: -8 }, { x: 13, y: -6 }]);
  assert.equal(lib.told("é"), "é");
  assert.deepEqual(said.splice(0), ["é", "again: é"]);
  assert.equal(lib.found("four"), 4007);
  assert.equal(lib.found(""), -1);
  assert.deepEqual(lib.turned({ tag: "dot" }), { tag: "label", val: '[{"x":1,"y":2},{"x":3,"y":4}]' });
  assert.deepEqual(["red", "green", "blue"].map((it) => lib.after(it)), ["green", "blue", "red"]);
  assert.equal(lib.joined("x", 3), "x,b,c,d,e,f,g,x,3");
  for (let i = 0; i < 3000; i++) assert.equal(lib.why("text"), "<text>");
}
assert.ok(api.marked(new Element(), 3) instanceof Element);
assert.throws(() => plain.sum(20), /not thirteen/);
console.log("ok");
