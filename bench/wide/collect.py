#!/usr/bin/env python3
"""Makes a folder of public programs for `cleave-bench wide`: compiles them with Clean's own compiler, with arguments,
constants and inputs for which Clean's native code takes 0.3 to 2 s, and writes the list `programs.txt`.

usage: collect.py --cocl DIR --clean DIR --out FOLDER [--shootout DIR] [--interpreter DIR] [--stdlib DIR] [--only NAME]...

--cocl         a folder with Clean's compiler `cocl`, `StdEnv` with .abc files and `ArgEnv` [default: CLEAVE_COCL]
--clean        a Linux installation of Clean's back end: lib/exe/cg, lib/StdEnv/Clean System Files [default: CLEAVE_CLEAN]
--shootout     a checkout of kragen/shootout    --interpreter  of kryptine/abc-interpreter
--stdlib       the folder `data/StdLib` of havenousername/clean, which some of the shootout's programs import

Nothing of these programs is part of this project: only names, sizes, and in `public.txt` beside this script the length
and the hash of what Clean's native code prints. A program that prints something else is named, and the status is 1;
`--bless` writes the file anew. Needs gcc."""
import argparse, os, re, resource, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'tests', 'public'))
import compare  # noqa: E402

KNOWN = os.path.join(HERE, 'public.txt')


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def repeated(make, times):
    """An input that is as long as so many of the small ones."""
    return lambda: make() * times


def big_sequences():
    """Three sequences of 1.2 million letters together."""
    state, text = 7, []
    for name, length in (('ONE', 200000), ('TWO', 400000), ('THREE', 600000)):
        text.append(f'>{name} sequence\n')
        for at in range(0, length, 60):
            row = ''
            for _ in range(min(60, length - at)):
                state = (state * 3877 + 29573) % 139968
                row += 'acgt'[state * 4 // 139968]
            text.append(row + '\n')
    return ''.join(text)


# The argument of each program of the shootout. Those that are not named here take too little time or need what is not
# public.
SHOOTOUT = {
    'ackermann': 12, 'ary': 3000000, 'binarytrees': 17, 'binarytrees.clean-3': 17, 'chameneos.clean-2': 30000000,
    'fannkuchredux': 10, 'fannkuchredux.clean-2': 11, 'fasta': 2000000, 'fibo': 41, 'harmonic.clean-2': 400000000,
    'heapsort': 2000000, 'lists': 4000, 'mandelbrot.clean-2': 3000, 'matrix': 40000, 'message': 200000,
    'methcall': 30000000, 'nbody': 10000000, 'nestedloop': 36, 'nsieve': 13,
    'nsievebits': 13, 'objinst': 100000000, 'partialsums': 15000000, 'primes': 4000, 'random': 100000000,
    'recursive.clean-3': 11, 'recursive.clean-4': 11, 'sieve': 20000, 'spectralnorm': 3000, 'strcat': 20000000,
    'takfp': 11,
}
# The inputs of those that read.
INPUTS = {
    'sumcol': repeated(compare.numbers, 18000), 'moments': repeated(compare.numbers, 4000),
    'knucleotide': big_sequences,
}
# Text to replace, where another compiler or library was meant.
CHANGES = {
    'message': [(r'StdLib\b', 'StdListExtensions')], 'nbody': [('import StdEnv', 'import StdFunc, StdEnv')],
}
# Programs that take neither: text to replace in them.
INTERPRETER = {
    'nfib': [('Nfib 30', 'Nfib 42')], 'tak': [('Tak 24 16 8', 'Tak 33 22 11')], 'rfib': [('26[.]0', '41.0')],
    'acker': [('Acker 3 7', 'Acker 3 12')], 'reverse': [(':== 1000', ':== 18000')],
    'reverse2': [(':== 1000', ':== 12000')], 'revtwice': [(r'\[1\.\.25\]', '[1..3500]')],
    'lqueen': [(':== 8', ':== 13')], 'squeen': [(':== 8', ':== 13')], 'fsieve': [(':== 3000', ':== 500000')],
    'sieve': [(':== 1000', ':== 12000')], 'symsieve': [('fromInt 200', 'fromInt 900')],
    'hamming': [(':== 300', ':== 2000000')], 'e': [(':== 200', ':== 6000')], 'match': [('match 400', 'match 5000')],
    'parser': [('parsetest 20', 'parsetest 60')],
    'prolog': [('flatten .prog10,prog10,prog10,prog10.;?$', 'flatten (repeatn 6 prog10)')],
    'reversearray': [('1000', '18000')], 'matchlarge': [('100000', '5000000')],
}


def programs(args):
    if args.shootout:
        include = os.path.join(args.shootout, 'bench', 'Include', 'clean')
        folders = [include] + ([args.stdlib] if args.stdlib else [])
        for program in compare.shootout(args.shootout):
            kind = os.path.basename(os.path.dirname(program.source))
            if program.name in SHOOTOUT or kind in INPUTS:
                words = [SHOOTOUT[program.name]] if program.name in SHOOTOUT else []
                stdin = INPUTS[kind]() if kind in INPUTS else ''
                yield compare.Program('shootout', program.name, program.source, folders, words, stdin), CHANGES.get(program.name, [])
    if args.interpreter:
        for program in compare.folder('interp', os.path.join(args.interpreter, 'test'), INTERPRETER):
            program.stdin = b''
            yield program, INTERPRETER[program.name]


def replaced(program, changes, folder):
    """A copy of the program with other constants."""
    text = compare.text_of(program.source)
    for wanted, new in changes:
        text, count = re.subn(wanted, new, text, flags=re.M)
        if not count:
            raise RuntimeError(f'{program}: there is no {wanted}')
    program.source = os.path.join(folder, os.path.basename(program.source))
    with open(program.source, 'w', encoding='latin-1') as file:
        file.write(text)


def used(command, folder, stdin):
    """What it prints, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(stdin, 'rb') as file:
        ended = subprocess.run(command, cwd=folder, stdin=file, capture_output=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode:
        raise RuntimeError(f'it ends with {ended.returncode}: {ended.stderr[-200:]!r}')
    return ended.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def collect(tools, program, changes, scratch, out):
    """Compiles a program and puts it into a folder of `out`; its line of the list, and its time."""
    work = os.path.join(scratch, str(program).replace('/', '.'))
    os.makedirs(work)
    if changes:
        os.makedirs(work + '.source')
        replaced(program, changes, work + '.source')
    main, refused = tools.compile(program, work)
    if refused:
        raise RuntimeError(f'cocl: {refused}')
    exe = tools.native(main, work)
    name = str(program).replace('/', '.')
    folder = os.path.join(out, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    system_files = os.path.join(work, compare.SYSTEM_FILES)
    for file in os.listdir(system_files):
        if file.endswith('.abc'):
            shutil.copy(os.path.join(system_files, file), folder)
    if os.path.exists(os.path.join(work, 'ArgEnvC.o')):
        shutil.copy(os.path.join(work, 'ArgEnvC.o'), folder)
    stdin = '-'
    with open(os.path.join(work, 'stdin'), 'wb') as file:
        file.write(program.stdin)
    if program.stdin:
        stdin = f'{name}/stdin'
        shutil.copy(os.path.join(work, 'stdin'), folder)
    output, seconds = used([exe, *program.args], work, os.path.join(work, 'stdin'))
    digest = f'{len(output)} {fnv(output):016x}'
    return name, digest, ' '.join([name, f'{name}/{main}.abc', digest, stdin, *program.args]), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--cocl', default=os.environ.get('CLEAVE_COCL'))
    parser.add_argument('--clean', default=os.environ.get('CLEAVE_CLEAN'))
    for name in ('out', 'shootout', 'interpreter', 'stdlib'):
        parser.add_argument('--' + name, required=name == 'out')
    parser.add_argument('--only', action='append', default=[])
    parser.add_argument('--bless', action='store_true')
    args = parser.parse_args()
    if not args.cocl or not args.clean:
        sys.exit('collect: --cocl and --clean, or the variables CLEAVE_COCL and CLEAVE_CLEAN, name folders of Clean')
    known = dict(line.split(' ', 1) for line in open(KNOWN).read().splitlines() if not line.startswith('#')) \
        if os.path.exists(KNOWN) else {}
    os.makedirs(args.out, exist_ok=True)
    lines, wrong = [], []
    with tempfile.TemporaryDirectory() as args.scratch:
        tools = compare.Tools(args)
        for program, changes in programs(args):
            if args.only and not any(only in str(program) for only in args.only):
                continue
            try:
                name, digest, line, seconds = collect(tools, program, changes, args.scratch, args.out)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                print(f'left out       {program}: {error}', flush=True)
                continue
            lines.append(line)
            if known.get(name, digest) != digest and not args.bless:
                wrong.append(name)
            known[name] = digest
            size = '' if 0.3 <= seconds <= 2 else '  (0.3 to 2 s are wanted)'
            print(f'{seconds:6.2f} s       {name}{size}', flush=True)
    with open(os.path.join(args.out, 'programs.txt'), 'w') as file:
        file.write('\n'.join(lines) + '\n')
    if args.bless:
        with open(KNOWN, 'w') as file:
            file.write('# Bytes and hash (FNV-1a, 64 bits) of what Clean\'s native code prints, by collect.py.\n')
            file.writelines(f'{name} {digest}\n' for name, digest in sorted(known.items()))
    if wrong:
        sys.exit('these programs print something else than they did: ' + ' '.join(wrong))


if __name__ == '__main__':
    main()
