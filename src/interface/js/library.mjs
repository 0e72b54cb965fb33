// Functions of {{WASM}} for node 20 and later and for browsers. Written by Cleave.
const url = new URL("{{URL}}", import.meta.url);
const node = globalThis.process?.versions?.node && await import("node:" + "fs");
const module = await WebAssembly.compile(node && url.protocol == "file:" ? node.readFileSync(url)
  : await (await fetch(url)).arrayBuffer());

/** An error of the program, with its message. What was computed is lost; the next call begins anew. */
export class ProgramError extends Error {
  name = "ProgramError";
}

// What a getter of an argument has thrown: nothing was called yet.
class Unread {
  constructor(error) {
    this.error = error;
  }
}
// V8, JavaScriptCore; SpiderMonkey. (A regular expression would need a stack.)
const isDeep = (error) => error instanceof RangeError ? error.message.includes("call stack")
  : error?.name == "InternalError" && error.message.includes("recursion");
// What the program asks of the system: it can write, and end. There is neither time nor input.
class Exit {}
// `where`: the field of a record that is being read.
let exports, view, undo, failures, where, handed = 0;
const passed = [];
const said = ["", "", ""], lines = ["", "", ""];
const decoder = new TextDecoder("utf-8", { ignoreBOM: true }), encoder = new TextEncoder();
const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at, length);
const system = {
  fd_write(fd, pieces, count, result) {
    // A program asks whether any status will do: rt/abi/layout.rs, `ANY_STATUS`.
    if (fd > 2) return 0;
    refresh();
    let length = 0, text = "";
    for (; count--; pieces += 8) {
      const size = view.getUint32(pieces + 4, true);
      text += decoder.decode(bytes(view.getUint32(pieces, true), size));
      length += size;
    }
    said[fd] = (said[fd] + text).slice(-10000);
    // The console writes lines.
    const whole = (lines[fd] + text).split("\n");
    lines[fd] = whole.pop();
    if (fd == 1 && whole.length) console.log(whole.join("\n"));
    view.setUint32(result, length, true);
    return 0;
  },
  proc_exit() {
    throw new Exit();
  },
  // All are terminals: each line is written at once.
  fd_fdstat_get(fd, at) {
    bytes(at, 24).fill(0)[0] = 2;
    return 0;
  },
};
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module))
  (imports[from] ??= {})[name] = system[name] ?? (() => 52);

// The memory may have grown.
function refresh() {
  if (view?.buffer != exports.memory.buffer) view = new DataView(exports.memory.buffer);
}

function begin() {
  handed = 0;
  said[1] = said[2] = "";
  if (!exports) {
    exports = new WebAssembly.Instance(module, imports).exports;
    exports._start?.();
  }
  return exports;
}

// Nobody knows what is left of an instance that failed: the next call makes a new one. What the host passed wrongly has
// not got there. Which argument it was is found out afterwards, so that nothing is written down before: arguments are
// types, names and values.
function fail(error, name, ...args) {
  if (error instanceof TypeError) {
    const at = args.findIndex(([type, , value]) => {
      where = undefined;
      try {
        type.lower(value, []);
      } catch (again) {
        return again.message == error.message;
      }
    });
    undo?.();
    if (at < 0) throw error;
    const param = args[at][1] && ` (${JSON.stringify(args[at][1])})`;
    const field = where === undefined ? "" : `, field ${JSON.stringify(where)}`;
    throw new TypeError(`${name}: argument ${at + 1}${param}${field}: ${error.message}`, { cause: error });
  }
  if (error instanceof Unread) {
    undo?.();
    throw error.error;
  }
  const gone = exports;
  exports = view = undefined;
  const shown = reason(error, name, args);
  if (gone) failures?.set(gone, shown);
  throw shown;
}

// What comes out of a call that has failed.
function reason(error, name, args) {
  // An exception of a function that the program has called.
  if (error?.thrown) return error.named ? error.named(name, args) : error.thrown[0];
  const known = isDeep(error) ? "Stack overflow." : error.message;
  return new ProgramError(error instanceof Exit ? (said[2] || said[1]).trim() : known, { cause: error });
}

// Room for arguments.
function room(size) {
  // Too much is too much for the program, too.
  const at = exports.cabi_realloc(0, 0, 8, Math.min(size, 0xffffffff)) >>> 0;
  refresh();
  return at;
}

// The arguments as WebAssembly takes them; more than 16 values lie in memory.
function pass(size, types, args) {
  const values = [], at = size && room(size);
  try {
    types.forEach(([type, offset], i) => size ? type.store(args[i], at + offset) : type.lower(args[i], values));
  } catch (error) {
    const isOurs = [TypeError, Exit, WebAssembly.RuntimeError].some((kind) => error instanceof kind) || isDeep(error);
    throw isOurs ? error : new Unread(error);
  }
  return size ? [at] : values;
}

// A result that lies in memory, which is free again then.
function take(name, type, at) {
  refresh();
  const value = type.load(at >>> 0);
  exports["cabi_post_" + name](at);
  return value;
}

const wrong = (value, wanted) => {
  const kinds = { object: value === null ? "null" : "an object", function: "a function" };
  const shown = typeof value == "bigint" ? `${value}n` : typeof value == "string" ? JSON.stringify(value.slice(0, 99))
    : kinds[typeof value] ?? String(value);
  throw new TypeError(`${shown} is ${wanted}`);
};
// A value that WebAssembly takes as one number; arrays of numbers lie in memory as in those of this kind.
const single = (size, flat, kind, load, store, one, lift) => ({
  size, flat, kind, load, store: (value, at) => store(one(value), at), one, lower: (value, out) => out.push(one(value)),
  lift,
});
const whole = (size, name, least, most) => {
  const sort = (least < 0 ? "Int" : "Uint") + 8 * size, get = "get" + sort, set = "set" + sort;
  return single(size, "i", globalThis[sort + "Array"],
    (at) => view[get](at, true), (value, at) => view[set](at, value, true),
    (value) => Number.isInteger(value) && value >= least && value <= most ? value : wrong(value, "no " + name),
    (value) => least < 0 ? value : value >>> 0);
};
const long = (name, sort, least, most) =>
  single(8, "l", globalThis[sort + "Array"],
    (at) => view["get" + sort](at, true), (value, at) => view.setBigInt64(at, value, true),
    (value) => typeof value == "bigint" && value >= least && value <= most ? value : wrong(value, "no " + name),
    (value) => least ? value : BigInt.asUintN(64, value));
const real = (size, flat) =>
  single(size, flat, globalThis[`Float${8 * size}Array`],
    (at) => view["getFloat" + 8 * size](at, true), (value, at) => view["setFloat" + 8 * size](at, value, true),
    (value) => typeof value == "number" ? value : wrong(value, "no number"), (value) => value);
// Values that are integers for WebAssembly.
const mapped = (integer, from, to) =>
  single(integer.size, "i", undefined, (at) => from(integer.load(at)), integer.store, to, from);
const bool = () => mapped(whole(1, "bool", 0, 1), Boolean, (value) =>
  typeof value == "boolean" ? +value : wrong(value, "no boolean"));
const char = () => mapped(whole(4, "char", 0, 0x10ffff), (value) => String.fromCodePoint(value), (value) =>
  typeof value == "string" && [...value].length == 1 && value.isWellFormed?.() != false ? value.codePointAt(0)
    : wrong(value, "no character"));
// Functions of the program: handles of an instance, dropped by hand, or when nobody has the function any more.
const Held = class {
  constructor(handle, type) {
    this.from = exports;
    this.handle = handle;
    this.type = type;
  }
};
const held = Symbol("held");
const handleOf = (own) => {
  if (!own.handle) throw new TypeError("this function of the program was dropped");
  if (own.from != exports) throw new TypeError("this function of the program is gone: the program has failed since");
  return own.handle;
};
const drop = (own) => {
  if (own.from == exports) exports.cabi_drop(handleOf(own));
  own.handle = 0;
};
// `using` drops a function at the end of a block, unless that was done before. (Not all hosts know it.)
const disposal = Symbol.dispose;
function dispose() {
  if (this[held].handle) drop(this[held]);
}
const forgotten = new FinalizationRegistry((own) => own.handle && own.from == exports && drop(own));
// To watch a function costs more than all else: most of them are dropped by hand before.
const young = [];
const settle = () => {
  for (const value of young) if (value[held].handle) forgotten.register(value, value[held]);
  young.length = 0;
};
const watch = (value) => {
  if (young.push(value) == 1) queueMicrotask(settle);
  if (young.length > 1000) settle();
};
// What the program has of JavaScript, by number. It says which ones it has no more; what it gives at the same time has
// been read when their places are used again.
const theirs = [], free = [], gone = [];
const clear = (numbers) => {
  for (const number of numbers) {
    theirs[number] = undefined;
    free.push(number);
  }
  numbers.length = 0;
};
const keep = (value) => {
  // What another instance had is gone with it.
  if (theirs.of != exports) {
    theirs.length = free.length = gone.length = 0;
    theirs.of = exports;
  }
  if (gone.length > 1000) clear(gone);
  const number = free.pop() ?? theirs.length;
  theirs[number] = value;
  // What has been handed over since the call began: nothing of it if an argument is wrong.
  passed[handed++] = number;
  undo ??= () => {
    passed.length = handed;
    handed = 0;
    clear(passed);
  };
  return number;
};
const forget = (number) => {
  if (gone.push(number) == 1) queueMicrotask(() => clear(gone));
};
const foreign = () => mapped(whole(4, "object", 0, 0xffffffff), (number) => theirs[number], keep);
// Functions of JavaScript that the program may have: negative numbers.
const numberOf = (type) => (value) => {
  const own = value instanceof Held ? value : value?.[held];
  if (own) return own.type == type ? handleOf(own) : wrong(value, "no function of this type");
  if (typeof value != "function") wrong(value, "no function of the program");
  return 0x80000000 + keep(value);
};
// What a function of JavaScript throws goes through the program as it is.
const thrown = (error) => {
  throw { thrown: [error] };
};
// The same if what the function gives is of another type. It is an argument of the call that fails, or the program has
// had it before.
const misfitted = (error, by) => {
  if (!(error instanceof TypeError)) thrown(error);
  const named = (name, args) => {
    const at = args.findIndex(([, , value]) => value == by);
    const param = args[at]?.[1] ? ` (${JSON.stringify(args[at][1])})` : "";
    const what = at < 0 ? `the function ${JSON.stringify(by.name)}` : `argument ${at + 1}${param}`;
    return new TypeError(`${name}: the result of ${what}: ${error.message}`, { cause: error });
  };
  throw { thrown: [error], named };
};
// Why instances have failed that calls wait in.
const reasons = failures = new WeakMap();
const failedMeanwhile = (from) => {
  const cause = reasons.get(from), words = cause?.message ?? String(cause);
  throw new ProgramError("The program has failed while this call of it has waited for a function: " + words, { cause });
};
// What a function that is imported gives has to be of its type.
const put = (name, store) => {
  try {
    return store();
  } catch (error) {
    throw error instanceof TypeError ? new TypeError(`${name}: ${error.message}`, { cause: error }) : error;
  }
};
// If its result may be an error in words, it gives what is good, and throws that.
const wordsOf = (reason) => {
  const words = String(reason?.message ?? reason);
  return words.toWellFormed?.() ?? words;
};
const attempt = (call) => {
  try {
    return { tag: "ok", val: call() };
  } catch (error) {
    return { tag: "err", val: wordsOf(error) };
  }
};
const putAttempt = (name, type, value, to) => {
  refresh();
  handed = 0;
  try {
    put(name, () => type.store(value, to));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    undo?.();
    type.store({ tag: "err", val: wordsOf(error) }, to);
  }
};
const host = (name, call) => (imports.host ??= {})[name] = call;
const callable = (call) => mapped(whole(4, "function", 0, 0xffffffff), (handle) => {
  const own = new Held(handle, call), value = call(own);
  value[held] = own;
  value.drop = () => drop(own);
  if (disposal) value[disposal] = dispose;
  watch(value);
  return value;
}, numberOf(call));
const enumeration = (size, ...tags) =>
  mapped(whole(size, "case", 0, tags.length - 1), (value) => tags[value], (value) =>
    tags.includes(value) ? tags.indexOf(value) : wrong(value, "none of " + tags.join(", ")));
// What lies elsewhere: an address and a length.
const distant = (place, read) => ({
  size: 8, flat: "ii", load: (at) => read(view.getUint32(at, true), view.getUint32(at + 4, true)),
  store(value, at) {
    const [start, length] = place(value);
    view.setUint32(at, start, true);
    view.setUint32(at + 4, length, true);
  },
  lower: (value, out) => out.push(...place(value)), lift: (at, length) => read(at >>> 0, length >>> 0),
});
// A text is written where it belongs; if it is not ASCII, its rest is longer than the room, which then grows.
const string = () => distant((value) => {
  const most = typeof value == "string" ? value.length : wrong(value, "no string"), at = room(most);
  const { read, written } = encoder.encodeInto(value, bytes(at, most));
  if (read == most) return [at, written];
  const rest = encoder.encode(value.slice(read)), length = written + rest.length;
  const grown = exports.cabi_realloc(at, most, 8, length) >>> 0;
  refresh();
  bytes(grown + written, rest.length).set(rest);
  return [grown, length];
}, (at, length) => decoder.decode(bytes(at, length)));
const list = (element) => distant((value) => {
  const length = value?.length;
  if (typeof value != "object" || !Number.isInteger(length) || length < 0) wrong(value, "no list");
  const at = room(length * element.size);
  if (element.kind && value instanceof element.kind) new element.kind(exports.memory.buffer, at, length).set(value);
  else for (let i = 0; i < length; i++) element.store(value[i], at + i * element.size);
  return [at, length];
}, (at, length) => {
  const value = new Array(length);
  if (element.kind) {
    // As fast as it gets: `Array.from` takes 20 times as long.
    const numbers = new element.kind(exports.memory.buffer, at, length);
    for (let i = 0; i < length; i++) value[i] = numbers[i];
    return value;
  }
  for (let i = 0; i < length; i++) value[i] = element.load(at + i * element.size);
  return value;
});
const object = (value, wanted) => typeof value == "object" && value || wrong(value, wanted);
// Parts are types with their offsets; those of records have names before them.
const tuple = (size, flat, ...parts) => ({
  size, flat, load: (at) => parts.map(([type, offset]) => type.load(at + offset)),
  store(value, at) {
    object(value, "no tuple");
    parts.forEach(([type, offset], i) => type.store(value[i], at + offset));
  },
  lower(value, out) {
    object(value, "no tuple");
    parts.forEach(([type], i) => type.lower(value[i], out));
  },
  lift: (...flats) => parts.map(([type]) => type.lift(...flats.splice(0, type.flat.length))),
});
const record = (size, flat, ...parts) => {
  const made = (of) => Object.fromEntries(parts.map(([name, ...part]) => [name, of(...part)]));
  const each = (value, work) => {
    object(value, "no record");
    for (const [name, type, offset] of parts) {
      where = name;
      work(type, value[name], offset);
    }
    where = undefined;
  };
  return {
    size, flat, load: (at) => made((type, offset) => type.load(at + offset)),
    store: (value, at) => each(value, (type, part, offset) => type.store(part, at + offset)),
    lower: (value, out) => each(value, (type, part) => type.lower(part, out)),
    lift: (...flats) => made((type) => type.lift(...flats.splice(0, type.flat.length))),
  };
};
// The bits of a value of one case, as the type that serves all cases.
const bits = new DataView(new ArrayBuffer(8));
const joined = (value, from, to) => {
  if (from == to) return value;
  bits.setBigInt64(0, 0n);
  if (from == "i") bits.setInt32(0, value, true);
  else if (from == "f") bits.setFloat32(0, value, true);
  else bits.setFloat64(0, value, true);
  return to == "i" ? bits.getInt32(0, true) : bits.getBigInt64(0, true);
};
const parted = (value, from, to) => {
  if (from == to) return value;
  if (from == "i") bits.setInt32(0, value, true);
  else bits.setBigInt64(0, value, true);
  return to == "i" ? bits.getInt32(0, true) : to == "f" ? bits.getFloat32(0, true) : bits.getFloat64(0, true);
};
// Cases are tags, perhaps with a type and its offset; `from` and `to` say what they are in JavaScript.
const variant = (size, flat, bytes, from, to, ...cases) => {
  const number = whole(bytes, "case", 0, cases.length - 1);
  const find = (value) => {
    const [tag, contents] = to(value), at = cases.findIndex((it) => it[0] == tag);
    const all = () => cases.map((it) => it[0]).join(", ");
    if (tag === undefined) wrong(value, `no { tag: … } of ${all()}`);
    if (at < 0) wrong(tag, `none of ${all()}`);
    return [at, contents, ...cases[at].slice(1)];
  };
  return {
    size, flat,
    load(at) {
      const [tag, type, offset] = cases[number.load(at)];
      return type ? from(tag, type.load(at + offset)) : from(tag);
    },
    lift(index, ...flats) {
      const [tag, type] = cases[index];
      return type ? from(tag, type.lift(...[...type.flat].map((own, i) => parted(flats[i], flat[i + 1], own)))) : from(tag);
    },
    store(value, at) {
      const [index, contents, type, offset] = find(value);
      number.store(index, at);
      type?.store(contents, at + offset);
    },
    lower(value, out) {
      const [index, contents, type] = find(value), own = [];
      type?.lower(contents, own);
      out.push(index);
      for (let i = 1; i < flat.length; i++)
        out.push(i > own.length ? flat[i] == "l" ? 0n : 0 : joined(own[i - 1], type.flat[i - 1], flat[i]));
    },
  };
};
const tagged = [(tag, ...val) => val.length ? { tag, val: val[0] } : { tag }, (value) => [value?.tag, value?.val]];
const optional = [(tag, val) => val, (value) => value == null ? ["none"] : ["some", value]];
