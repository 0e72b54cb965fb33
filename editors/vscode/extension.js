// Starts `cleave lsp` and talks with it.
const { commands, window, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const languages = ["goopea", "samlang", "cleave-ir", "abc"];
let client;

function start() {
  const settings = workspace.getConfiguration("cleave");
  const command = settings.get("path");
  const run = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("cleave", "Cleave", { run, debug: run }, {
    documentSelector: languages.map((language) => ({ language })),
    initializationOptions: { memoryReport: settings.get("memoryReport") },
    synchronize: { configurationSection: "cleave", fileEvents: workspace.createFileSystemWatcher("**/*.{goo,sam,ir,abc}") },
  });
  return client.start().catch((error) => window.showErrorMessage(`${command} lsp cannot be started: ${error.message}`));
}

exports.activate = (context) => {
  context.subscriptions.push(commands.registerCommand("cleave.restart", async () => {
    await client?.stop();
    await start();
  }));
  return start();
};

exports.deactivate = () => client?.stop();
