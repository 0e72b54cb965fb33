definition module Walks

// members that take the same and return different things: one node, or two nodes and a word

import Basics

:: Seen = {small :: ![Int], large :: ![Int]}

class walk a :: !(Int .st -> .st) !a !.st -> .st
class next a :: !a !Seen -> (!Bool, !Seen, !a)

instance walk Int, (a, b) | walk a & walk b, [a] | walk a
instance next Int, [a] | next a, (a, b) | next a & next b
