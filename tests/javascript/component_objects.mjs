// Objects of JavaScript that a component in GOOPEA has, behind the functions of jco: they come back as they were, and
// their handles are disposed of.
import assert from "node:assert/strict";
const [, , folder, ...names] = process.argv;
const { Element, Node, open, take } = await import(`${folder}/objects_host.mjs`);

for (const name of names) {
  const { api } = await import(`${folder}/${name}.js`);
  const before = open();
  const give = (value) => new Element(value);
  const a = { a: 1 }, b = Symbol("b");
  assert.equal(take(api.same(give(a))), a);
  assert.deepEqual(api.swapped(give(a), give(b)).map(take), [b, a]);
  const many = Array.from({ length: 1000 }, (_, i) => ({ i }));
  assert.deepEqual(api.reversed(many.map(give)).map(take), many.toReversed());
  assert.equal(api.amount(many.map(give)), 1000n);
  // What is given twice is two handles of the host's, for the same object.
  assert.deepEqual(api.twice(give(b)).map(take), [b, b]);
  const two = api.mixed(new Node(1), give(2), 1n);
  assert.deepEqual([two.tag, two.val.map(take)], ["two", [2, 1]]);
  const box = api.turned({ tag: "box", val: give(a) });
  assert.deepEqual([box.tag, take(box.val)], ["box", a]);
  assert.deepEqual(api.turned({ tag: "dot" }), { tag: "dot" });
  const [n, element] = api.next([41n, give(a)]);
  assert.deepEqual([n, take(element)], [42n, a]);
  for (let i = 0; i < 300; i++) assert.equal(api.ignored(give(i)), 7n);
  for (let i = 0; i < 12; i++) take(api.long(give(i), 200000n));
  // A collector may still have the last ones.
  assert.ok(open() - before <= (name.includes("gc") ? 5 : 0), `${name}: ${open() - before} handles are open`);
  assert.throws(() => api.same({}), TypeError);
  assert.throws(() => api.divided(give(a), 0n));
}
console.log("ok");
