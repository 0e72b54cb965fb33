// Runs a program of WASI as an engine for JavaScript does it: with its arguments, its environment, and all files.
import { readFileSync } from "node:fs";
import process from "node:process";
import { WASI } from "node:wasi";

const [, , file, ...args] = process.argv;
const wasi = new WASI({ version: "preview1", args: [file, ...args], env: process.env, preopens: { ".": ".", "/": "/" } });
const { instance } = await WebAssembly.instantiate(readFileSync(file), { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
