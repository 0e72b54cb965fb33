module events
// Queues: pairing heaps as the agenda of a simulation of counters in a bank, with queues of two lists.

import StdEnv

:: Heap a = Empty | Heap a [Heap a]
:: Queue a = {front :: [a], back :: [a], length :: !Int}
:: Kind = Arrive !Int | Leave !Int !Int
:: Event = {time :: !Int, kind :: !Kind}
:: Bank = {queues :: {Queue Int}, agenda :: Heap Event, waited :: !Int, served :: !Int, seed :: !Int}

instance < Event where
	(<) a b = a.time < b.time

merge :: !(Heap a) !(Heap a) -> Heap a | < a
merge Empty h = h
merge h Empty = h
merge l=:(Heap x xs) r=:(Heap y ys)
	| y < x = Heap y [l : ys]
	= Heap x [r : xs]

push :: a !(Heap a) -> Heap a | < a
push x h = merge (Heap x []) h

pop :: !(Heap a) -> (a, Heap a) | < a
pop (Heap x hs) = (x, pairs hs)
where
	pairs [a, b : rest] = merge (merge a b) (pairs rest)
	pairs [a] = a
	pairs [] = Empty

nothing :: Queue a
nothing = {front = [], back = [], length = 0}

enqueue :: a !(Queue a) -> Queue a
enqueue x q=:{back, length} = {q & back = [x : back], length = length + 1}

dequeue :: !(Queue a) -> (a, Queue a)
dequeue q=:{front = [x : rest], length} = (x, {q & front = rest, length = length - 1})
dequeue {back, length} = dequeue {front = reverse back, back = [], length = length}

next :: !Int -> Int
next s = (s * 1103515245 + 12345) bitand 0x7fffffff

step :: !Event !Bank -> Bank
step {time, kind = Arrive customer} bank=:{queues, agenda, seed}
	# place = shortest queues
	  s = next seed
	  queue = queues.[place]
	  service = 50 + (s >> 8) rem 330
	  agenda = if (queue.length == 0) (push {time = time + service, kind = Leave place customer} agenda) agenda
	  agenda = push {time = time + 1 + (s >> 13) rem 59, kind = Arrive (customer + 1)} agenda
	= {bank & queues = changed place (enqueue time queue) queues, agenda = agenda, seed = s}
step {time, kind = Leave place customer} bank=:{queues, agenda, waited, served, seed}
	# (since, queue) = dequeue queues.[place]
	  s = next seed
	  agenda = if (queue.length > 0) (push {time = time + 50 + (s >> 8) rem 330, kind = Leave place customer} agenda) agenda
	= {queues = changed place queue queues, agenda = agenda, waited = waited + time - since, served = served + 1, seed = s}

changed :: !Int (Queue Int) !{Queue Int} -> {Queue Int}
changed place queue queues = {if (i == place) queue q \\ q <-: queues & i <- [0..]}

shortest :: !{Queue Int} -> Int
shortest queues = least 1 0
where
	least i best
		| i == size queues = best
		# qi = queues.[i]
		  qb = queues.[best]
		| qi.length < qb.length = least (i + 1) i
		= least (i + 1) best

simulate :: !Int !Bank -> Bank
simulate 0 bank = bank
simulate n bank=:{agenda}
	# (event, rest) = pop agenda
	= simulate (n - 1) (step event {bank & agenda = rest})

run :: !Int -> String
run n
	# bank = simulate n {queues = createArray 6 nothing, agenda = Heap {time = 0, kind = Arrive 1} [], waited = 0, served = 0, seed = 99}
	= toString bank.served +++ " " +++ toString bank.waited +++ " " +++ foldr (\q text -> toString q.length +++ " " +++ text) "" [q \\ q <-: bank.queues]

Start :: *World -> *World
Start world
	# (console, world) = stdio world
	  (_, n, console) = freadi console
	  console = console <<< run n <<< "\n"
	  (_, world) = fclose console world
	= world
