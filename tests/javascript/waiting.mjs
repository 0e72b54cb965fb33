// Exports that wait for functions of JavaScript: in node (`node waiting.mjs FOLDER`), and imported by a page.
const folder = globalThis.process?.argv[2] ?? ".";
const STRESS = globalThis.process?.env.GC_STRESS != null;
const MANY = STRESS ? 300 : 100000;

// All modules from here on, to look at their memories, and to call them as another host does.
const instances = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports);
    instances.push({ module, memory: this.exports.memory });
  }
};

const shown = (value) => JSON.stringify(value) ?? String(value);
const equal = (found, wanted, of = "") => {
  if (shown(found) != shown(wanted)) throw new Error(`${of}: ${shown(found)}, not ${shown(wanted)}`);
};
const rejects = async (promise, name, message, of) => {
  const error = await promise.then((value) => new Error(`it gave ${shown(value)}`), (error) => error);
  equal([error.name, error.message], [name, message], of);
  return error;
};

async function library(name) {
  const lib = await import(`${folder}/${name}.mjs`);
  const { state } = await import(`${folder}/waiting_host.mjs`);
  const memory = () => instances.at(-1).memory.buffer.byteLength;

  for (state.mode of ["now", "promise", "timer"]) {
    equal(await lib.echo("grüße \u{1f600}"), "grüße \u{1f600}!", "a text");
    equal(await lib.echo(""), "!", "a short text");
    equal(await lib.sum(10), 55, "a loop");
    equal(await lib.half(3), 1.5, "a real");
    equal([await lib.pause()], [undefined], "nothing");
    equal(await lib.two(-4, "x"), [-3, "x!"], "two results");
    equal(await lib.numbers(5), [0, 1, 2, 3, 4], "a list");
    equal(await lib.mocked("x"), "from the program", "a handler of the program goes first");
    equal(await lib.caught("fine"), "fine", "no exception");
  }
  state.mode = "promise";
  equal(await lib.caught("throw"), "no connection: grüße!", "a rejected promise is an exception");
  equal(await lib.caught("text"), "only a text!", "what is thrown is no error");
  equal(lib.plain(4), 5, "a function that does not wait");
  equal(lib.plain(4) instanceof Promise, false);
  equal(lib.pause() instanceof Promise, true);
  await rejects(lib.echo(5), "TypeError", 'echo: argument 1 ("text"): 5 is no string', "a wrong argument");
  equal(await lib.deep(STRESS ? 500 : 100000), STRESS ? 501 : 100001, "a deep recursion waits");

  // Each goes on with its own, in any order.
  state.mode = "held";
  const several = ["a", "b", "c", "d"].map(lib.echo);
  equal(lib.plain(1), 2, "a call while others wait");
  for (const at of [2, 0, 3, 1]) state.held[at].resolve(`answer ${at}`);
  equal(await Promise.all(several), [0, 1, 2, 3].map((at) => `answer ${at}`), "order");

  // A reason that the program does not ask for is that of the promise; nothing else ends.
  state.held = [];
  const [first, second] = [lib.echo("a"), lib.echo("b")];
  const reason = new RangeError("too far");
  state.held[0].reject(reason);
  equal(await first.catch((error) => error == reason), true, "the reason itself");
  state.held[1].resolve();
  equal(await second, "b!");
  const third = lib.echo("c");
  state.held[2].resolve(7);
  await rejects(third, "TypeError", "7 is no string", "a function that gives something else");
  // One that settles twice, as promises do not: nothing happens.
  state.held[2].resolve("again");

  // Functions of JavaScript call the program in turn.
  state.mode = "promise";
  state.ask = async (text) => {
    equal(lib.plain(1), 2);
    if (text == "") return "end";
    return `${text[0]}(${await lib.echo(text.slice(1))})`;
  };
  equal(await lib.echo("abc"), "a(b(c(end)))", "nested");
  state.ask = (text) => { throw new Error(`cannot ${text}`); };
  await rejects(lib.echo("x"), "Error", "cannot x", "one that throws at once");
  delete state.ask;

  // An error of the program ends all that waits, and the next call begins anew.
  for (const [stop, wanted] of [[lib.stop, "nobody can go on"], [lib.strange, "Unhandled effect: Strange"],
    [() => lib.uncaught("throw"), "Uncaught exception: Failure"], [lib.stopAtOnce, "nobody can go on"]]) {
    (state.mode = "held", state.held = []);
    const others = [lib.echo("x"), lib.sum(3)];
    state.mode = "promise";
    const stopping = stop == lib.stopAtOnce ? new Promise((go) => { go(stop()); }) : stop();
    await rejects(stopping, "ProgramError", wanted, "an error after a promise");
    for (const other of others)
      await rejects(other, "ProgramError", `The program has failed while this waited: ${wanted}`, "with others");
    for (const held of state.held) held.resolve();
    equal(await lib.echo("new"), "new!", "after an error");
  }

  // Very many at once.
  (state.mode = "held", state.held = []);
  const all = Array.from({ length: MANY }, (_, i) => lib.echo(`${i}`));
  equal(state.held.length, MANY);
  for (const held of state.held.reverse()) held.resolve();
  equal((await Promise.all(all)).every((text, i) => text == `${i}!`), true, "very many");
  // One after the other they take no more memory.
  (state.mode = "now", state.held = []);
  // (The collector may take more in the first rounds, after so many at once.)
  let before;
  for (let round = 0; round < 4; round++) {
    before = memory();
    await lib.sum(MANY);
    for (let i = 0; i < MANY / 50; i++) await lib.echo("x".repeat(1000));
    for (let i = 0; i < MANY / 50; i++) await rejects(lib.echo(7), "TypeError", 'echo: argument 1 ("text"): 7 is no string');
  }
  equal(memory() - before, 0, "memory");
}

// What a host does wrong ends the program: goes on twice, with another function's answer, with what never was.
async function wrongly(name) {
  const { module } = instances.at(-1);
  const instance = () => {
    let said = "", exports;
    const view = () => new DataView(exports.memory.buffer);
    const system = {
      fd_write(fd, pieces, count, result) {
        let length = 0;
        for (; count--; pieces += 8) {
          const [at, size] = [view().getUint32(pieces, true), view().getUint32(pieces + 4, true)];
          said += new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, size));
          length += size;
        }
        view().setUint32(result, length, true);
        return 0;
      },
      proc_exit() { throw new Error(said.trim()); },
    };
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module))
      (imports[from] ??= {})[name] = system[name] ?? (() => 52);
    ({ exports } = new Instance(module, imports));
    exports._start();
    const begin = () => {
      const at = exports.pause(), turn = [view().getInt32(at, true), view().getInt32(at + 4, true)];
      exports.cabi_post_waiting(at);
      return turn;
    };
    return { exports, begin, view };
  };
  const fails = (wanted, work) => {
    try {
      work(instance());
    } catch (error) {
      return equal(error.message, wanted, name);
    }
    throw new Error(`no error: ${wanted}`);
  };
  const unknown = "The host goes on with a call that does not exist, or that has ended.";
  fails(unknown, ({ exports, begin, view }) => {
    const [number, call] = begin();
    equal(number, 4, "the import");
    const [again, other] = begin();
    equal([again, other == call], [4, false], "two calls");
    equal(view().getInt32(exports.cabi_settle_3(call, 0), true), 4, "it waits again");
    exports.cabi_settle_3(call, 0);
  });
  fails(unknown, ({ exports }) => exports.cabi_settle_3(1, 0));
  fails(unknown, ({ exports, begin }) => { begin(); exports.cabi_settle_3(0, 0); });
  fails(unknown, ({ exports, begin }) => { begin(); exports.cabi_settle_3(-1, 0); });
  fails(unknown, ({ exports, begin }) => {
    const [, call] = begin();
    exports.cabi_forget(call);
    exports.cabi_settle_3(call, 0);
  });
  fails(unknown, ({ exports, begin }) => {
    const [, call] = begin();
    exports.cabi_forget(call);
    exports.cabi_forget(call);
  });
  fails("The host goes on with a call of another function than it says.", ({ exports, begin }) => {
    const [, call] = begin();
    exports.cabi_refuse_4(call, 0, 0);
  });
  fails("The host passed data that are not in the buffer.", ({ exports, begin }) => {
    const [, call] = begin();
    exports.cabi_settle_1(call, 8);
  });
}

async function samlang() {
  const lib = await import(`${folder}/sam.mjs`);
  const { state } = await import(`${folder}/waiting_host.mjs`);
  for (state.mode of ["now", "promise", "timer"]) {
    equal(await lib.show("a"), "contents of a");
    equal(await lib.show("throw"), "failed: there is no such file", "the error of a result");
    equal(await lib.total(["a", "bcd", "ef"]), 6, "closures wait");
    state.notes = [];
    equal([await lib.told("x")], [undefined]);
    equal(state.notes, ["x", "again: x"]);
  }
  equal(lib.plain(1), 2);
}

for (const name of ["gc", "rc"]) {
  await library(name);
  await wrongly(name);
}
await samlang();
console.log("ok");
