#!/usr/bin/env python3
"""Compiles public programs with Clean's own compiler, builds each with Clean's code generator and with Cleave, and
compares what they print and how they end.

usage: compare.py --cleave PROGRAM --cocl DIR --clean DIR [--shootout DIR] [--interpreter DIR] [--exercises DIR]
                  [--students DIR] [--folder DIR]... [--only NAME]... [--scratch DIR] [--limit SECONDS] [--way WAY]...

--cocl       a folder with Clean's compiler `cocl`, `StdEnv` with .abc files and `ArgEnv` [default: CLEAVE_COCL]
--clean      a Linux installation of Clean's back end: lib/exe/cg, lib/StdEnv/Clean System Files [default: CLEAVE_CLEAN]
--shootout   a checkout of kragen/shootout         --interpreter  of kryptine/abc-interpreter
--exercises  of HazeNebula/Functional-Programming-Clean           --students  of havenousername/clean
--folder     any other folder: each .icl in it or below that has a Start is a program
--way        one of the ways below [default: all]

Nothing of these programs is part of this project. A program that cocl does not compile with StdEnv and ArgEnv alone is
counted and named, as is one that Clean's own code does not end in time. The exit status is 1 if a program differs.
Needs gcc."""
import argparse, hashlib, os, re, shutil, signal, subprocess, sys, tempfile, time

SYSTEM_FILES = 'Clean System Files'
WAYS = {
    'wasm -O0': ['-O0'],
    'wasm -O2': ['-O2'],
    'native -O0': ['--target', 'native', '-O0'],
    'native -O2': ['--target', 'native', '-O2'],
}
HEAP = 512 << 20
STACK = 64 << 20

# Arguments of the shootout's programs: small, because Clean's code takes milliseconds and an unoptimised one of ours,
# compilation included, should not take minutes.
NUMBERS = {
    'ackermann': 7, 'ary': 5000, 'binarytrees': 10, 'chameneos': 300, 'fannkuch': 7, 'fannkuchredux': 7, 'fasta': 1000,
    'fibo': 22, 'harmonic': 100000, 'hash': 5000, 'hash2': 5, 'heapsort': 5000, 'lists': 5, 'mandelbrot': 64,
    'matrix': 10, 'message': 100, 'methcall': 10000, 'nbody': 2000, 'nestedloop': 5, 'nsieve': 2, 'nsievebits': 2,
    'objinst': 10000, 'partialsums': 20000, 'pidigits': 100, 'primes': 500, 'random': 20000, 'recursive': 4, 'sieve': 10,
    'spectralnorm': 60, 'strcat': 5000, 'takfp': 4,
}


def numbers():
    return ''.join(f'{(i * 7919) % 1999 - 999}\n' for i in range(1000))


def words():
    state, lines = 1, []
    for line in range(400):
        row = []
        for _ in range(line % 11):
            state = state * 1103515245 + 12345 & 0x7fffffff
            row.append(''.join(chr(97 + (state >> k) % 23) for k in range(3, 6 + state % 5)))
        lines.append(' '.join(row))
    return '\n'.join(lines) + '\n'


def sequences():
    state, text = 7, []
    for name, length in (('ONE', 400), ('TWO', 600), ('THREE', 1999)):
        text.append(f'>{name} sequence\n')
        for at in range(0, length, 60):
            row = ''
            for _ in range(min(60, length - at)):
                state = (state * 3877 + 29573) % 139968
                row += 'acgt'[state * 4 // 139968]
            text.append(row + '\n')
    return ''.join(text)


INPUTS = {'sumcol': numbers, 'moments': numbers, 'knucleotide': sequences, 'revcomp': sequences}


class Program:
    """A main module, the folders of its modules, and what it is given."""
    def __init__(self, group, name, source, folders, args=(), stdin=''):
        self.group, self.name, self.source, self.folders = group, name, source, folders
        self.args, self.stdin = [str(arg) for arg in args], stdin.encode('latin-1')

    def __str__(self):
        return f'{self.group}/{self.name}'


def text_of(path):
    return open(path, encoding='latin-1').read()


def module_of(path):
    """The name of a program's main module, or None."""
    text = text_of(path)
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    text = re.sub(r'//.*', '', text)
    head = re.match(r'\s*module\s+([\w.`]+)', text)
    return head.group(1) if head and re.search(r'^\s*Start\b', text, re.M) else None


def shootout(root):
    include = os.path.join(root, 'bench', 'Include', 'clean')
    for folder in sorted(os.listdir(os.path.join(root, 'bench'))):
        path = os.path.join(root, 'bench', folder)
        for file in sorted(os.listdir(path)) if os.path.isdir(path) and folder != 'Include' else []:
            if file.endswith('.clean'):
                stdin = INPUTS.get(folder, words)()
                args = [NUMBERS[folder]] if folder in NUMBERS else []
                yield Program('shootout', file[:-6], os.path.join(path, file), [include], args, stdin)


def folder(group, root, files=None):
    """Every program below a folder; modules are looked for beside the program."""
    for at, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            if name.endswith('.icl') and module_of(path) and (files is None or name[:-4] in files):
                shown = os.path.relpath(path, root)[:-4]
                yield Program(group, shown, path, [at], [], words())


class Tools:
    def __init__(self, args):
        self.args = args
        self.cocl = os.path.join(os.path.abspath(args.cocl), 'cocl')
        self.stdenv = os.path.join(os.path.abspath(args.cocl), 'StdEnv')
        self.argenv = os.path.join(os.path.abspath(args.cocl), 'ArgEnv')
        home = os.path.join(os.path.abspath(args.clean), 'lib')
        self.cg = os.path.join(home, 'exe', 'cg')
        self.system = os.path.join(home, 'StdEnv', SYSTEM_FILES)
        self.objects = os.path.join(args.scratch, 'objects')
        os.makedirs(self.objects, exist_ok=True)
        for needed in (self.cocl, self.stdenv, self.cg, os.path.join(self.system, '_startup.o')):
            if not os.path.exists(needed):
                sys.exit(f'compare: there is no {needed}')
        options = os.path.join(self.objects, 'options.c')
        with open(options, 'w') as file:
            file.write(f'long heap_size={HEAP}, ab_stack_size={STACK}, flags=0, heap_size_multiple=5120, '
                       'initial_heap_size=204800;\nlong min_write_heap_size=2147483647;\n')

    def compile(self, program, folder):
        """The .abc of every module with cocl; a message if it refuses one."""
        main = module_of(program.source)
        for source in program.folders + [self.argenv]:
            for file in os.listdir(source):
                path = os.path.join(source, file)
                if os.path.isfile(path) and not file.endswith(('.exe', '.prj', '.prp')) and os.path.getsize(path) < 1 << 20:
                    shutil.copy(path, folder)
        # The shootout's programs have another ending, and modules named as in their text.
        shutil.copy(program.source, os.path.join(folder, main + '.icl'))
        open(os.path.join(folder, 'ArgEnvC.c'), 'a').close()
        work, done = [main], set()
        while work:
            module = work.pop()
            if module in done:
                continue
            done.add(module)
            abc = os.path.join(folder, SYSTEM_FILES, module + '.abc')
            if not os.path.exists(os.path.join(folder, module + '.icl')):
                continue
            command = [self.cocl, '-P', f'{folder}:{self.stdenv}', module]
            try:
                ended = subprocess.run(command, cwd=folder, capture_output=True, timeout=60)
            except subprocess.TimeoutExpired:
                return main, f'cocl takes too long on {module}'
            if ended.returncode or not os.path.exists(abc):
                lines = (ended.stdout + ended.stderr).decode('latin-1').strip().splitlines()
                return main, (lines or ['cocl ended without a message'])[0]
            work += re.findall(r'^\.depend "([^"]+)"', text_of(abc), re.M)
        return main, None

    def object(self, abc):
        """The object file of a module, made once."""
        key = hashlib.sha1(open(abc, 'rb').read()).hexdigest()[:20]
        file = os.path.join(self.objects, key + '.o')
        if not os.path.exists(file):
            ended = subprocess.run([self.cg, abc[:-4], '-o', file], capture_output=True, text=True)
            if ended.returncode or not os.path.exists(file):
                raise RuntimeError(f'cg fails on {os.path.basename(abc)}: {ended.stdout}{ended.stderr}')
        return file

    def native(self, main, folder):
        """Clean's own executable."""
        places = [os.path.join(folder, SYSTEM_FILES), os.path.join(self.stdenv, SYSTEM_FILES), self.system]
        find = lambda module: next((p for p in (os.path.join(d, module + '.abc') for d in places) if os.path.exists(p)), None)
        work, seen, objects, extra = ['_system', main], [], [], []
        while work:
            module = work.pop(0)
            if module in seen:
                continue
            seen.append(module)
            # The installation's own: it belongs to its _startup.o.
            abc = os.path.join(self.system, '_system.abc') if module == '_system' else find(module)
            if abc is None:
                raise RuntimeError(f'there is no module {module}')
            text = text_of(abc)
            work += re.findall(r'^\.(?:depend|impmod) "?([^"\s]+)"?', text, re.M)
            for wanted in re.findall(r'^\.impobj "?([^"\s]+?)(?:\.o)?"?\s*$', text, re.M):
                extra += [p for p in (os.path.join(folder, wanted + '.o'),) if os.path.exists(p)]
            objects.append(self.object(abc))
        exe = os.path.join(folder, 'clean.exe')
        # An imported module may have a Start, too: that of the main module, which comes first, counts.
        command = ['gcc', '-w', '-no-pie', '-Wl,-z,muldefs', '-o', exe, os.path.join(self.system, '_startup.o'),
                   os.path.join(self.objects, 'options.c'), *objects, *sorted(set(extra)), '-lm']
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode:
            raise RuntimeError('it cannot be linked: ' + ended.stderr[-300:])
        return exe


def execute(command, program, folder, limit):
    """Status and stdout; the status of a signal is negative, None is a time limit."""
    output = os.path.join(folder, 'stdout.out')
    with open(output, 'wb') as stdout:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE, start_new_session=True)
        try:
            _, stderr = process.communicate(program.stdin, timeout=limit)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, stderr = process.communicate()
            status = None
    with open(output, 'rb') as file:
        return status, file.read(64 << 20), stderr


def same(expected, found):
    """Natively a fault is a signal (or the shell's number of it), here the status 255."""
    (status, output, _), (status2, output2, _) = expected, found
    if status is not None and (status < 0 or status in (136, 139)):
        # What was printed before is lost natively, if the channel is a file.
        return status2 == 255 and output2.startswith(output)
    return (status, output) == (status2, output2)


def shown(result):
    status, output, stderr = result
    return f'status {status}, {len(output)} bytes {output[-120:]!r}, stderr {stderr[-300:]!r}'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--cleave', required=True)
    parser.add_argument('--cocl', default=os.environ.get('CLEAVE_COCL'))
    parser.add_argument('--clean', default=os.environ.get('CLEAVE_CLEAN'))
    for group in ('shootout', 'interpreter', 'exercises', 'students'):
        parser.add_argument('--' + group)
    parser.add_argument('--folder', action='append', default=[])
    parser.add_argument('--only', action='append', default=[])
    parser.add_argument('--way', action='append', choices=list(WAYS), default=[])
    parser.add_argument('--scratch')
    parser.add_argument('--limit', type=float, default=10, help='seconds for Clean\'s own program; ours may take twelve times that')
    args = parser.parse_args()
    if not args.cocl or not args.clean:
        sys.exit('compare: --cocl and --clean, or the variables CLEAVE_COCL and CLEAVE_CLEAN, name folders of Clean')
    temporary = None if args.scratch else tempfile.TemporaryDirectory()
    args.scratch = os.path.abspath(args.scratch or temporary.name)
    tools, cleave = Tools(args), os.path.abspath(args.cleave)
    programs = list(shootout(args.shootout)) if args.shootout else []
    if args.interpreter:
        programs += folder('interpreter', os.path.join(args.interpreter, 'test'))
    if args.exercises:
        programs += folder('exercises', os.path.join(args.exercises, 'Exercises'))
        programs += folder('examples', os.path.join(args.exercises, 'Examples', 'Small Examples'))
    if args.students:
        programs += folder('students', args.students)
    for place in args.folder:
        programs += folder(os.path.basename(os.path.abspath(place)), place)
    if args.only:
        programs = [program for program in programs if any(only in str(program) for only in args.only)]
    ways = args.way or list(WAYS)
    counts, wrong = {}, []
    for program in programs:
        work = os.path.join(args.scratch, str(program).replace('/', '.'))
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        verdict, details = compare(tools, cleave, program, work, ways, args.limit)
        row = counts.setdefault(program.group, {})
        row[verdict] = row.get(verdict, 0) + 1
        print(f'{verdict:14} {program}' + (f': {details[0]}' if details else ''))
        for line in details[1:]:
            print('    ' + line)
        sys.stdout.flush()
        if verdict == 'differs':
            wrong.append(str(program))
        elif not args.only:
            shutil.rmtree(work, ignore_errors=True)
    verdicts = ['same', 'differs', 'endless', 'not compiled', 'not linked']
    print('\n' + ' ' * 14 + ''.join(f'{verdict:>14}' for verdict in verdicts))
    for group, row in counts.items():
        print(f'{group:14}' + ''.join(f'{row.get(verdict, 0):14}' for verdict in verdicts))
    if wrong:
        print('differ: ' + ' '.join(wrong))
    sys.exit(1 if wrong or not programs else 0)


def compare(tools, cleave, program, work, ways, limit):
    main, refused = tools.compile(program, work)
    if refused:
        return 'not compiled', [refused]
    try:
        exe = tools.native(main, work)
    except RuntimeError as error:
        return 'not linked', [str(error)]
    files = set(os.listdir(work))
    expected = execute([exe, *program.args], program, work, limit)
    if expected[0] is None:
        return 'endless', [f'Clean\'s own code does not end in {limit:.0f} s']
    details = []
    for way in ways:
        # What a run has written must not be there for the next one.
        for name in set(os.listdir(work)) - files - {'stdout.out'}:
            path = os.path.join(work, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        command = [cleave, 'run', '--no-cocl', '-q', '--heap', str(HEAP), '--stack', str(STACK), '-P', tools.stdenv, '-L', work]
        command += [*WAYS[way], os.path.join(work, SYSTEM_FILES, main + '.abc'), '--', *program.args]
        found = execute(command, program, work, 12 * limit)
        # A program that prints its own name.
        name = os.path.join(work, SYSTEM_FILES, main).encode()
        found = found[0], found[1].replace(name, exe.encode()), found[2]
        if not same(expected, found):
            details += [f'{way}: {shown(found)}']
    return ('differs', [shown(expected)] + details) if details else ('same', [])


if __name__ == '__main__':
    main()
