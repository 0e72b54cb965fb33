module machine
// An interpreter: programs for a stack machine, with a store in an unboxed array and text in a strict array.

import StdEnv

:: Code = Push !Int | Load !Int | Store !Int | Add | Sub | Mul | Rem | Less | Jump !Int | Unless !Int | Index | Put | Dup | Swap | Call !Int | Return | Print | Halt
:: Stack :== [Int]

execute :: !{!Code} !*{#Int} -> ([Int], *{#Int})
execute text store = step 0 [] [] [] store
where
	step :: !Int !Stack ![Int] [Int] !*{#Int} -> ([Int], *{#Int})
	step pc stack calls out store = case text.[pc] of
		Push n -> step (pc + 1) [n : stack] calls out store
		Load a
			# (n, store) = store![a]
			-> step (pc + 1) [n : stack] calls out store
		Store a
			# [n : rest] = stack
			-> step (pc + 1) rest calls out {store & [a] = n}
		Add -> binary (+) pc stack calls out store
		Sub -> binary (-) pc stack calls out store
		Mul -> binary (*) pc stack calls out store
		Rem -> binary (rem) pc stack calls out store
		Less -> binary (\a b -> if (a < b) 1 0) pc stack calls out store
		Jump to -> step to stack calls out store
		Unless to
			# [n : rest] = stack
			-> step (if (n == 0) to (pc + 1)) rest calls out store
		Index
			# [a : rest] = stack
			  (n, store) = store![a]
			-> step (pc + 1) [n : rest] calls out store
		Put
			# [n, a : rest] = stack
			-> step (pc + 1) rest calls out {store & [a] = n}
		Dup -> step (pc + 1) [hd stack : stack] calls out store
		Swap
			# [a, b : rest] = stack
			-> step (pc + 1) [b, a : rest] calls out store
		Call to -> step to stack [pc + 1 : calls] out store
		Return -> step (hd calls) stack (tl calls) out store
		Print -> step (pc + 1) (tl stack) calls [hd stack : out] store
		Halt -> (reverse out, store)

	binary :: (Int Int -> Int) !Int !Stack ![Int] [Int] !*{#Int} -> ([Int], *{#Int})
	binary f pc [b, a : rest] calls out store
		#! n = f a b
		= step (pc + 1) [n : rest] calls out store

// Counts primes below the number at 0 with a sieve from 10 on, then sums a recursive function.
sieve :: {!Code}
sieve =
	{ Push 2, Store 1
	, Load 1, Load 0, Less, Unless 40
	, Push 10, Load 1, Add, Index, Unless 13, Jump 33, Halt
	, Load 2, Push 1, Add, Store 2
	, Load 1, Load 1, Mul, Store 3
	, Load 3, Load 0, Less, Unless 33
	, Push 10, Load 3, Add, Push 1, Put
	, Jump 36, Halt, Halt
	, Jump 43, Halt, Halt
	, Load 3, Load 1, Add, Jump 47
	, Load 2, Print, Jump 49
	, Load 1, Push 1, Add, Jump 51
	, Store 3, Jump 21
	, Push 18, Jump 53
	, Store 1, Jump 2
	, Call 56, Print, Halt
	, Dup, Push 2, Less, Unless 61, Return
	, Dup, Push 1, Sub, Call 56, Swap, Push 2, Sub, Call 56, Add, Push 1000003, Rem, Return
	}

run :: !Int -> String
run n
	# (out, store) = execute sieve {createArray (n + 20) 0 & [0] = n}
	= foldr (\k text -> toString k +++ " " +++ text) "" out +++ toString (sum [x \\ x <-: store])

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
