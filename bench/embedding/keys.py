#!/usr/bin/env python3
"""How long each key takes that calls the parser of `examples/embedding/markdown` with 100 kB, by the clock: in new
processes of node and new pages of headless Chromium, which have called it with an empty text before.

    python3 bench/embedding/keys.py CLEAVE [RUNS]

Prints, of each host, milliseconds of the first keys and of all others: median, 99 of 100, and the worst."""
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KEYS = 200


class Handler(http.server.SimpleHTTPRequestHandler):
    """The files of a folder, and what the page posts."""

    posted = None
    extensions_map = {".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm", "": "text/plain"}

    def end_headers(self):
        # Isolated pages have a precise clock.
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def do_POST(self):
        Handler.posted = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        done.set()

    def log_message(self, *_):
        pass


done = threading.Event()


def in_node(folder):
    command = ["node", folder / "keys.mjs", folder / "text.md", str(KEYS)]
    return json.loads(subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout)


def in_chromium(folder, browser, port):
    done.clear()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        address = f"http://127.0.0.1:{port}/keys.html?{KEYS}"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        child = subprocess.Popen([browser, *flags, f"--user-data-dir={profile}", address], **quiet)
        try:
            if not done.wait(60):
                sys.exit("the page has posted nothing")
        finally:
            child.terminate()
            child.wait()
    return Handler.posted


def summary(times):
    times = sorted(times)
    at = lambda part: times[min(len(times) - 1, int(part * len(times)))]
    return f"{at(0.5):.1f} | {at(0.99):.1f} | {times[-1]:.1f}"


def main(cleave, runs, folder):
    for name in ("keys.mjs", "keys.html"):
        shutil.copy(HERE / name, folder)
    text = "\n\n".join((ROOT / "docs" / name).read_text() for name in ("ir.md", "clean.md", "numbers.md"))
    (folder / "text.md").write_text(text[:100_000])
    source = ROOT / "examples/embedding/markdown/Markdown.abc"
    subprocess.run([cleave, "build", source, "--lib", "-o", folder / "markdown.mjs"], check=True)
    handler = lambda *parts: Handler(*parts, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    hosts = {"node": lambda: in_node(folder)} if shutil.which("node") else {}
    if browser:
        hosts["Chromium"] = lambda: in_chromium(folder, browser, server.server_port)
    print("| milliseconds | median | 99 of 100 | worst |\n| --- | ---: | ---: | ---: |")
    for host, measure in hosts.items():
        all_times = [measure() for _ in range(runs)]
        for name, least, end in [("first key", 0, 1), ("second to tenth", 1, 10), ("others", 10, KEYS)]:
            print(f"| {host}, {name} |", summary([time for times in all_times for time in times[least:end]]), "|")


with tempfile.TemporaryDirectory() as name:
    cleave = str(pathlib.Path(shutil.which(sys.argv[1] if len(sys.argv) > 1 else "cleave")).resolve())
    main(cleave, int(sys.argv[2]) if len(sys.argv) > 2 else 20, pathlib.Path(name))
