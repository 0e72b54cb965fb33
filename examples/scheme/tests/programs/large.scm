; Integers that fit a reference, and larger ones.
(define (fact n) (if (= n 0) 1 (* n (fact (- n 1)))))
(write (list (fact 10) (fact 20) (quotient (fact 20) (fact 18)) (eqv? (fact 20) (fact 20)) (eq? 5 5) (= (fact 15) (* 15 (fact 14))) (- (fact 13) (fact 13)) 1073741823 (+ 1073741823 1) (- -1073741824 1)))
(newline)
