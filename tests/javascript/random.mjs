// Random interfaces with random values there and back: `make FOLDER` writes programs of GOOPEA, `check FOLDER` calls
// what became of them. Both know the types by the number of the program.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
const [way, folder] = process.argv.slice(2), PROGRAMS = 3, TYPES = 40, VALUES = 50;

function interfaceOf(seed) {
  const random = (most) => {
    seed = Number((BigInt(seed) * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffn);
    return Math.floor(seed / 65536) % most;
  };
  // A type is its name, its definition, and what makes a value of it.
  const types = [
    { name: "Int", value: () => (BigInt(random(2 ** 31)) << BigInt(random(32))) - (BigInt(random(2)) << 61n) },
    { name: "Bool", value: () => random(2) == 1 },
  ];
  const some = () => types[random(types.length)];
  const several = (most) => Array.from({ length: random(most + 1) }, some);
  const names = (parts) => parts.map((part) => part.name).join(", ");
  const values = (parts) => parts.map((part) => part.value());
  for (let n = 0; n < TYPES; n++) {
    const name = `T${n}`, kind = random(4);
    if (kind == 0) {
      const element = some();
      const definition = [`Nil${n}`, `Cons${n}(${element.name}, ${name})`];
      if (random(2)) definition.reverse();
      types.push({ name, definition, value: () => Array.from({ length: random(4) }, element.value) });
    } else if (kind == 1) {
      const parts = [some(), ...several(3)];
      types.push({ name, definition: [`P${n}(${names(parts)})`], value: () => values(parts) });
    } else {
      const make = (_, at) => ({ tag: `C${n}_${at}`, parts: kind == 2 ? [] : several(3) });
      const cases = Array.from({ length: 2 + random(4) }, make);
      const definition = cases.map(({ tag, parts }) => parts.length ? `${tag}(${names(parts)})` : tag);
      const isEnumeration = cases.every(({ parts }) => !parts.length);
      types.push({
        name, definition, value() {
          const { tag, parts } = cases[random(cases.length)], all = values(parts);
          return isEnumeration ? tag : all.length ? { tag, val: all.length == 1 ? all[0] : all } : { tag };
        },
      });
    }
  }
  return { types, random };
}

for (let seed = 1; seed <= PROGRAMS; seed++) {
  const { types, random } = interfaceOf(seed);
  if (way == "make") {
    const own = types.filter(({ definition }) => definition);
    const lines = own.map(({ name, definition }) => `enum ${name} = ${definition.join(", ")};`);
    types.forEach(({ name }, n) => lines.push(`${name}: ${name}`, `same${n} x = x;`));
    types.forEach(({ name }, n) => {
      const other = types[(n + 7) % types.length].name;
      lines.push(`(${name}, ${other}): (${other}, ${name})`, `swap${n}(x, y) = (y, x);`);
    });
    writeFileSync(`${folder}/random${seed}.goo`, lines.join("\n") + "\n");
  } else {
    const program = await import(`${folder}/random${seed}.mjs`);
    for (let n = 0; n < types.length; n++)
      for (let round = 0; round < VALUES; round++) {
        const value = types[n].value(), other = types[(n + 7) % types.length].value();
        assert.deepEqual(program[`same${n}`](value), value, types[n].name);
        assert.deepEqual(program[`swap${n}`](value, other), [other, value]);
        if (random(100) == 0) assert.throws(() => program[`same${n}`](Symbol()), TypeError);
      }
  }
}
if (way == "check") console.log("ok");
