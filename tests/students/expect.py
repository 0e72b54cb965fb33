#!/usr/bin/env python3
"""Writes what Clean's own native code prints for every student program: the file `expected.txt` beside this script.

usage: expect.py --students DIR --clean DIR --clean-native PROGRAM > expected.txt

--students is a checkout of the repository havenousername/clean; --clean and --clean-native are as for the benchmarks:
the program is called as `PROGRAM --clean DIR FILE.abc -L LIBRARY -o EXECUTABLE`. A line is: name, exit status, number of
bytes on stdout, their FNV-1a hash of 64 bits. Programs that do not end in 20 seconds are named in a comment. Only these
numbers are kept, nothing of the programs."""
import argparse, os, subprocess, sys, tempfile

LIMIT = 20
SYSTEM_FILES = 'Clean System Files'

def fnv(data):
    h = 0xcbf29ce484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return h

def programs(root):
    for top in ('examples', 'workflow'):
        for folder, _, files in os.walk(os.path.join(root, top)):
            if os.path.basename(folder) == SYSTEM_FILES:
                for file in files:
                    if file.endswith('.abc'):
                        yield os.path.join(folder, file)

def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--students', required=True)
    parser.add_argument('--clean', required=True)
    parser.add_argument('--clean-native', required=True)
    args = parser.parse_args()
    library = os.path.join(args.students, 'lib', 'StdEnv')
    print('# NAME STATUS BYTES FNV-1a-64: stdout of Clean\'s native code, by expect.py')
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(programs(args.students)):
            folder, file = os.path.split(path)
            name = os.path.relpath(os.path.join(os.path.dirname(folder), file[:-4]), args.students)
            exe = os.path.join(scratch, 'program')
            subprocess.run([args.clean_native, '--clean', args.clean, path, '-L', library, '-o', exe], check=True)
            out = os.path.join(scratch, 'out')
            with open(out, 'wb') as file:
                limited = ['timeout', str(LIMIT), exe]
                status = subprocess.run(limited, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE)
            if status.returncode == 124:
                print(f'# {name} does not end')
                continue
            if status.stderr:
                sys.exit(f'{name} writes to stderr: {status.stderr!r}')
            data = open(out, 'rb').read()
            print(f'{name} {status.returncode} {len(data)} {fnv(data):016x}')

main()
