#!/usr/bin/env python3
"""Times programs against Chez Scheme and Guile: bench.py SCHEME [--rounds N] [--checkout DIR] [PROGRAM…]

SCHEME is the command `scheme`. With a checkout of the r7rs-benchmarks its programs run as they are, with its inputs, fewer times;
otherwise programs of the same names that are written anew. The least processor time of some rounds counts, which take turns, less
that of a program that does nothing. Needs `chezscheme` and `guile`.
"""
import argparse
import math
import os
import pathlib
import re
import subprocess
import tempfile

TAK = "(define (tak x y z) (if (not (< y x)) z (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))))"
# Definitions, the expression that is repeated, and how often.
PROGRAMS = {
    "tak": (TAK, "(tak 24 16 8)", 100),
    "takl": (
        """(define (listn n) (if (= n 0) '() (cons n (listn (- n 1)))))
           (define (shorter? x y) (and (not (null? y)) (or (null? x) (shorter? (cdr x) (cdr y)))))
           (define (mas x y z) (if (not (shorter? y x)) z (mas (mas (cdr x) y z) (mas (cdr y) z x) (mas (cdr z) x y))))
           (define l18 (listn 18)) (define l12 (listn 12)) (define l6 (listn 6))""",
        "(length (mas l18 l12 l6))",
        400,
    ),
    "cpstak": (
        """(define (cpstak x y z)
             (define (tak x y z k)
               (if (not (< y x)) (k z)
                   (tak (- x 1) y z (lambda (v1) (tak (- y 1) z x (lambda (v2) (tak (- z 1) x y (lambda (v3)
                     (tak v1 v2 v3 k)))))))))
             (tak x y z (lambda (a) a)))""",
        "(cpstak 18 12 6)",
        1500,
    ),
    "ctak": (
        """(define (ctak x y z) (call/cc (lambda (k) (ctak-aux k x y z))))
           (define (ctak-aux k x y z)
             (if (not (< y x)) (k z)
                 (ctak-aux k
                   (call/cc (lambda (k) (ctak-aux k (- x 1) y z)))
                   (call/cc (lambda (k) (ctak-aux k (- y 1) z x)))
                   (call/cc (lambda (k) (ctak-aux k (- z 1) x y))))))""",
        "(ctak 18 12 6)",
        30,
    ),
    "fib": ("(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))", "(fib 40)", 1),
    "ack": (
        "(define (ack m n) (cond ((= m 0) (+ n 1)) ((= n 0) (ack (- m 1) 1)) (else (ack (- m 1) (ack m (- n 1))))))",
        "(ack 3 9)",
        20,
    ),
    "nqueens": (
        """(define (queens n)
             (define (iota1 n) (let loop ((i n) (l '())) (if (= i 0) l (loop (- i 1) (cons i l)))))
             (define (attempt x y z)
               (if (null? x) (if (null? y) 1 0)
                   (+ (if (ok? (car x) 1 z) (attempt (append (cdr x) y) '() (cons (car x) z)) 0)
                      (attempt (cdr x) (cons (car x) y) z))))
             (define (ok? row dist placed)
               (if (null? placed) #t
                   (and (not (= (car placed) (+ row dist))) (not (= (car placed) (- row dist)))
                        (ok? row (+ dist 1) (cdr placed)))))
             (attempt (iota1 n) '() '()))""",
        "(queens 10)",
        60,
    ),
    "primes": (
        """(define (interval low high) (if (> low high) '() (cons low (interval (+ low 1) high))))
           (define (sieve l) (if (null? l) '() (cons (car l) (sieve (sift (car l) (cdr l))))))
           (define (sift n l)
             (cond ((null? l) '()) ((= (remainder (car l) n) 0) (sift n (cdr l))) (else (cons (car l) (sift n (cdr l))))))""",
        "(length (sieve (interval 2 10000)))",
        80,
    ),
    "deriv": (
        """(define (deriv a)
             (cond ((not (pair? a)) (if (eq? a 'x) 1 0))
                   ((eq? (car a) '+) (cons '+ (map deriv (cdr a))))
                   ((eq? (car a) '-) (cons '- (map deriv (cdr a))))
                   ((eq? (car a) '*) (list '* a (cons '+ (map (lambda (a) (list '/ (deriv a) a)) (cdr a)))))
                   (else 0)))""",
        "(length (deriv '(+ (* 3 x x) (* a x x) (* b x) 5)))",
        2000000,
    ),
    "diviter": (
        """(define (create n) (do ((n n (- n 1)) (a '() (cons '() a))) ((= n 0) a)))
           (define (halve l) (do ((l l (cddr l)) (a '() (cons (car l) a))) ((null? l) a)))
           (define l (create 1000))""",
        "(length (halve l))",
        100000,
    ),
    "divrec": (
        """(define (create n) (do ((n n (- n 1)) (a '() (cons '() a))) ((= n 0) a)))
           (define (halve l) (if (null? l) '() (cons (car l) (halve (cddr l)))))
           (define l (create 1000))""",
        "(length (halve l))",
        100000,
    ),
    "sieve of a vector": (
        """(define (count n)
             (let ((v (make-vector (+ n 1) #t)))
               (let loop ((i 2) (found 0))
                 (cond ((> i n) found)
                       ((vector-ref v i)
                        (do ((j (* 2 i) (+ j i))) ((> j n)) (vector-set! v j #f))
                        (loop (+ i 1) (+ found 1)))
                       (else (loop (+ i 1) found))))))""",
        "(count 3000000)",
        10,
    ),
}
EMPTY = "nothing"
# Programs of the checkout that need no numbers but integers of 64 bits, and what the number of their runs is divided by.
FROM_CHECKOUT = {
    "ack": 1,
    "array1": 20,
    "conform": 20,
    "cpstak": 1,
    "ctak": 1,
    "deriv": 20,
    "destruc": 20,
    "diviter": 20,
    "divrec": 20,
    "earley": 1,
    "equal": 20,
    "fib": 5,
    "graphs": 3,
    "lattice": 10,
    "mazefun": 20,
    "nboyer": 1,
    "nqueens": 10,
    "ntakl": 1,
    "paraffins": 10,
    "primes": 20,
    "puzzle": 20,
    "sboyer": 1,
    "string": 20,
    "sum": 20,
    "tak": 1,
    "takl": 1,
    "triangl": 25,
}
# Names of Chez's library that some of them define themselves.
LIBRARY = ("read", "make-string", "filter", "remove", "sort", "iota", "last-pair", "list-index", "fold", "vector-copy", "remq")
# What the programs of the checkout are run by. The value of `hide` must not be known when they are compiled.
HARNESS = """(define %input '(
{input}
))
(define (read) (let ((datum (car %input))) (set! %input (cdr %input)) datum))
(define (hide r x) ((vector-ref (vector (lambda (x) x) (lambda (x) (cons x x))) (if (< r 0) 1 0)) x))
(define (run-r7rs-benchmark name count thunk right?)
  (let loop ((left (+ 1 (quotient (- count 1) {divisor}))) (result #f))
    (if (> left 0) (loop (- left 1) (thunk)) (begin (display (right? result)) (newline)))))
{source}
(run-benchmark)
"""


def written_anew(name):
    """The text of a program of `PROGRAMS`."""
    definitions, call, times = PROGRAMS[name]
    loop = f"(define (again n) (let ((r {call})) (if (= n 1) r (again (- n 1)))))"
    return f"{definitions}\n{loop}\n(display (again {times}))\n(newline)\n"


def from_checkout(checkout, name):
    """The text of a program of the checkout, without what it imports."""
    source = (checkout / f"src/{name}.scm").read_text()
    source = re.sub(r"^\(import .*(\n +\(.*)*", "", source, count=1, flags=re.MULTILINE)
    given = (checkout / f"inputs/{name}.input").read_text()
    return HARNESS.format(input=given, divisor=FROM_CHECKOUT[name], source=source)


def run(way):
    """The processor time of a process, and what it writes."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(way, stdout=log, stderr=subprocess.DEVNULL)
        usage = os.wait4(process.pid, 0)[2]
        log.seek(0)
        return usage.ru_utime + usage.ru_stime, log.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scheme")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--checkout", type=pathlib.Path)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_intermixed_args()
    texts = {EMPTY: "(display 1)\n(newline)\n"}
    for name in options.programs or (FROM_CHECKOUT if options.checkout else PROGRAMS):
        texts[name] = from_checkout(options.checkout, name) if options.checkout else written_anew(name)
    print("| program | Cleave | ÷ Chez Scheme | ÷ Guile |\n| --- | --- | --- | --- |")
    logs = ([], [])
    with tempfile.TemporaryDirectory() as folder:
        for name, source in texts.items():
            text = pathlib.Path(folder, f"{name.replace(' ', '-')}.scm")
            text.write_text(source)
            subprocess.run([options.scheme, "build", text, "--target", "native", "-o", text.with_suffix("")], check=True)
            # A program of Chez imports its library, without what the program defines anew.
            chez = text.with_suffix(".chez.scm")
            again = " ".join(name for name in LIBRARY if f"(define ({name} " in source or f"(define ({name})" in source)
            chez.write_text(f"(import (except (chezscheme) {again}))\n{source}")
            ways = [[text.with_suffix("")], ["chezscheme", "--optimize-level", "2", "--program", chez], ["guile", text]]
            # The first time it is compiled.
            subprocess.run(ways[2], capture_output=True, check=True)
            best, outputs = [math.inf] * 3, [None] * 3
            for _ in range(options.rounds):
                for number, way in enumerate(ways):
                    took, outputs[number] = run(way)
                    best[number] = min(best[number], took)
            assert len(set(outputs)) == 1 and outputs[0] != b"#f\n", f"{name}: {outputs}"
            if name == EMPTY:
                empty = best
                continue
            best = [max(least - nothing, 1e-3) for least, nothing in zip(best, empty)]
            ratios = [best[0] / best[1], best[0] / best[2]]
            for log, ratio in zip(logs, ratios):
                log.append(math.log(ratio))
            print(f"| {name} | {best[0]:.3f} s | {ratios[0]:.2f} | {ratios[1]:.2f} |", flush=True)
    means = [math.exp(sum(log) / len(log)) for log in logs]
    print(f"| geometric mean | | {means[0]:.2f} | {means[1]:.2f} |")


if __name__ == "__main__":
    main()
