#!/usr/bin/env python3
"""What `--checked` costs: processor time of executables with it and without it.

    bench/checked.py CLEAVE PROGRAM...        CLEAVE is the compiler; programs of any language

Each program is built twice and run in turns; the least of several runs counts. Programs that take less than a few
hundredths of a second are left out.
"""
import os
import resource
import subprocess
import sys
import tempfile

ROUNDS = 7
LEAST = 0.03


def seconds(program, options):
    """Processor time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=options, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    cleave = sys.argv[1]
    environment = dict(os.environ, CLEAVE_RTS="")
    product, count, worst = 1.0, 0, (0.0, "")
    with tempfile.TemporaryDirectory() as folder:
        for source in sys.argv[2:]:
            programs = []
            for name, option in ("plain", []), ("checked", ["--checked"]):
                program = os.path.join(folder, name)
                subprocess.run([cleave, "build", source, "--target", "native", "-o", program, *option], check=True)
                programs.append(program)
            times = [[], []]
            for _ in range(ROUNDS):
                for number, program in enumerate(programs):
                    times[number].append(seconds(program, environment))
            plain, checked = map(min, times)
            if plain < LEAST:
                continue
            ratio = checked / plain
            print(f"{os.path.basename(source):24} {plain:8.3f} s {checked:8.3f} s {ratio:6.2f}")
            product, count, worst = product * ratio, count + 1, max(worst, (ratio, os.path.basename(source)))
    if count:
        print(f"geometric mean of {count}: {product ** (1 / count):.2f}; worst {worst[0]:.2f} ({worst[1]})")


if __name__ == "__main__":
    main()
