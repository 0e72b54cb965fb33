//! Tests of the loader that run in node and in a browser alike: `test(folder)` resolves to a list of what went wrong.
//! The folder holds the loaders of stdinio, files, life, div_zero, heap_list, stack_b and deep.
//! `node api.mjs FOLDER` prints the list and ends with its length as status.

const STDIN = "corpus tester\n10 20 30\n-5 7\n0 rest of the line\nlast line without end";
const STDOUT = "hello corpus tester\nsum of numbers: 62\ncharacters left: 39\n65536\n";
const bytes = (text) => new TextEncoder().encode(text);
const text = (data) => new TextDecoder().decode(data);

export async function test(folder, { waits = true, recurs = true } = {}) {
  const wrong = [];
  const same = (what, actual, expected) => {
    const [a, e] = [actual, expected].map((value) => JSON.stringify(value));
    if (a !== e) wrong.push(`${what}: ${a}, not ${e}`);
  };
  const load = async (name) => (await import(`${folder}/${name}.mjs`)).run;
  const [stdinio, files, life, zero, heap, stack, deep] = await Promise.all(
    ["stdinio", "files", "life", "div_zero", "heap_list", "stack_b", "deep"].map(load));
  async function* pieces(...list) { yield* list; }

  // Standard input in every form; standard output as text and as bytes.
  const inputs = {
    text: STDIN,
    bytes: bytes(STDIN),
    buffer: bytes(STDIN).buffer,
    list: [STDIN.slice(0, 20), "", bytes(STDIN.slice(20))],
    pieces: pieces(STDIN.slice(0, 5), bytes(STDIN.slice(5))),
    stream: new Blob([STDIN]).stream(),
    large: pieces(STDIN.slice(0, 5), STDIN.slice(5) + "x".repeat(200000)),
  };
  for (const [what, stdin] of Object.entries(inputs)) {
    const wanted = what == "large" ? STDOUT.replace("39", "200039") : STDOUT;
    const ended = await stdinio({ stdin, stdout: "bytes" });
    same(`stdin as ${what}`, [ended.status, text(ended.stdout), ended.stderr], [0, wanted, ""]);
    if (!(ended.stdout instanceof Uint8Array)) wrong.push("bytes are no Uint8Array");
  }
  same("no stdin", (await stdinio()).status, 0);

  // Output piece by piece, to functions and streams; one that is slow gets all.
  let got = "";
  let ended = await life({ stdout: async (piece) => { await null; got += text(piece); } });
  same("output to a function", [got, ended.stdout, ended.stderr], [(await life()).stdout, undefined, ""]);
  const pipe = new TransformStream();
  const [, received] = await Promise.all([life({ stdout: pipe.writable }), new Response(pipe.readable).text()]);
  same("output to a stream", received, got);
  let both = "";
  await zero({ stdout: (piece) => { both += text(piece); }, stderr: (piece) => { both += text(piece); } });
  same("order of output", both, "[100,50,Integer division by zero.\n");

  // A dialogue: input that depends on output.
  if (waits) {
    let answered;
    const greeting = new Promise((resolve) => { answered = resolve; });
    async function* dialogue() {
      yield "world\n";
      if (await greeting != "hello world\n") wrong.push("the program does not answer before it reads");
      yield "0 ";
    }
    await stdinio({ stdin: dialogue(), stdout: (piece) => answered(text(piece)) });
  }

  // Files in memory.
  ended = await files({ files: { "in.txt": "one", other: "two" } });
  same("a file is read", [ended.status, ended.stdout], [0, "\"one\"\n"]);
  same("changed files", Object.entries(ended.files).map(([name, data]) => [name, text(data)]), [["copy.txt", "one"]]);
  ended = await files({ files: new Map([["./in.txt", bytes("new")], ["copy.txt", bytes("longer")]]) });
  same("files of a Map", [ended.stdout, text(ended.files["copy.txt"])], ["\"new\"\n", "new"]);
  ended = await files();
  same("no files", [ended.stdout, ended.files], ["\"missing\"\n", {}]);

  // Run-time errors are values.
  ended = await zero();
  same("division", [ended.status, ended.stdout, ended.stderr], [255, "[100,50,", "Integer division by zero.\n"]);
  ended = await stack({ stack: 16 });
  same("stack", [ended.status, ended.stdout, ended.stderr], [255, "", "Stack overflow.\n"]);
  ended = await heap({ env: { CLEAVE_RTS: "--heap=4m" } });
  same("environment", [ended.status, ended.stdout, ended.stderr], [255, "(", "Heap full.\n"]);
  ended = await heap({ args: ["-h", "4m"] });
  same("arguments", [ended.status, ended.stdout, ended.stderr], [255, "(", "Heap full.\n"]);
  ended = await life({ args: ["-nr"] });
  same("no result", [ended.status, ended.stdout], [0, ""]);
  if (recurs) same("recursion", (await deep()).stdout, "(50000004999923,10000000,50000004999923)\n");

  // Runs do not disturb each other; what was given and fails is the caller's own error.
  const many = await Promise.all(["a", "b", "c"].map((data) => files({ files: { "in.txt": data } })));
  same("runs at a time", many.map((ended) => ended.stdout), ["\"a\"\n", "\"b\"\n", "\"c\"\n"]);
  const fails = () => { throw new Error("mine"); };
  same("a function that fails", await life({ stdout: fails }).catch((error) => error.message), "mine");
  async function* broken() { fails(); }
  same("input that fails", await stdinio({ stdin: broken() }).catch((error) => error.message), "mine");
  return wrong;
}

if (globalThis.process?.argv[1]?.endsWith("api.mjs")) {
  // In node the program for that is run by `engines.rs`.
  const wrong = await test(globalThis.process.argv[2], { recurs: false });
  for (const line of wrong) console.log(line);
  globalThis.process.exitCode = wrong.length;
}
