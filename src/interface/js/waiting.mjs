// Work that waits for promises: each turn of it ends with a result, or asks for a function of JavaScript, and goes on
// when that has given something. Nothing of it is on the stack meanwhile.
const waiting = new Set();
// The instance is gone, and with it all that waits in it.
const failed = (error, ...args) => {
  try {
    fail(error, ...args);
  } catch (shown) {
    if (!exports) {
      const lost = new ProgramError("The program has failed while this waited: " + shown?.message, { cause: shown });
      for (const task of waiting) task.reject(lost);
      waiting.clear();
    }
    throw shown;
  }
};
// Ends work, but not the instance.
const refuse = (task, reason) => {
  waiting.delete(task);
  task.reject(reason);
};
const turn = (task, enter) => {
  let number, call, args;
  try {
    const at = enter() >>> 0;
    refresh();
    number = view.getInt32(at, true);
    if (number) {
      call = view.getInt32(at + 4, true);
      args = hosts[number - 1].params.map(([type, offset]) => type.load(at + 8 + offset));
    } else args = task.result?.load(at + 8);
    exports.cabi_post_waiting(at);
  } catch (error) {
    waiting.delete(task);
    try {
      failed(error, ...task.args);
    } catch (shown) {
      task.reject(shown);
    }
    return;
  }
  if (!number) {
    waiting.delete(task);
    task.resolve(args);
    return;
  }
  const from = exports, asked = hosts[number - 1], ours = () => exports == from && waiting.has(task);
  // What the function throws is the error of a result, an exception of the program, or that of the promise.
  const bad = (reason) => {
    if (!ours()) return;
    if (asked.fails == "result") settle({ tag: "err", val: wordsOf(reason) });
    else if (asked.fails == "raise") {
      turn(task, () => from["cabi_refuse_" + (number - 1)](call, ...pass(0, [[asked.text]], [wordsOf(reason)])));
    } else {
      from.cabi_forget(call);
      refuse(task, reason);
    }
  };
  const settle = (value) => {
    let place = handed = 0;
    if (asked.result) {
      try {
        place = room(asked.result.size);
        asked.result.store(value, place);
      } catch (error) {
        undo?.();
        return asked.fails == "result" && value?.tag == "err" ? refuse(task, error) : bad(error);
      }
    }
    turn(task, () => from["cabi_settle_" + (number - 1)](call, place));
  };
  const good = (value) => ours() && settle(asked.fails == "result" ? { tag: "ok", val: value } : value);
  new Promise((go) => go(asked.call(...args))).then(good, bad);
};
// The promise of an export.
const work = (result, enter, ...args) => new Promise((resolve, reject) => {
  const task = { result, resolve, reject, args };
  waiting.add(task);
  turn(task, () => enter(begin()));
});
