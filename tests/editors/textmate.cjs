// Reads files with a grammar, by the libraries of VS Code: node textmate.cjs GRAMMAR LIST. For each file a form feed, and
// for each of its lines a letter for each character.
const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const [grammarFile, list] = process.argv.slice(2);
const kinds = [
  ["comment", "c"], ["string", "s"], ["constant.numeric", "n"], ["keyword.other", "k"], ["keyword.operator", "o"],
  ["entity.name.type", "t"], ["entity.name.function", "f"], ["entity.name.label", "l"], ["variable", "v"],
  ["meta.preprocessor", "d"],
];
const letter = (scopes) => {
  const last = scopes[scopes.length - 1];
  const kind = kinds.find(([begin]) => last.startsWith(begin));
  return kind ? kind[1] : " ";
};

async function main() {
  const wasm = path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm");
  await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), grammarFile),
  });
  const scope = JSON.parse(fs.readFileSync(grammarFile, "utf8")).scopeName;
  const grammar = await registry.loadGrammar(scope);
  const out = [];
  for (const file of fs.readFileSync(list, "utf8").split("\n")) {
    out.push("\f\n");
    let state = textmate.INITIAL;
    for (const line of fs.readFileSync(file, "utf8").split("\n").map((line) => line.replace(/\r$/, ""))) {
      const read = grammar.tokenizeLine(line, state);
      let letters = "";
      for (const token of read.tokens) {
        letters += letter(token.scopes).repeat(Math.min(token.endIndex, line.length) - token.startIndex);
      }
      out.push(letters + "\n");
      state = read.ruleStack;
    }
  }
  process.stdout.write(out.join(""));
}
main().catch((error) => { console.error(error); process.exit(1); });
