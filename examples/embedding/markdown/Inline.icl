implementation module Inline

// The text of a paragraph: it becomes tokens, then emphasis is found with a stack of openers.

import Text

// What may open or close emphasis: its character, its length now and at first, whether it opens, whether it closes.
:: Run = {char :: !Char, length :: !Int, whole :: !Int, opens :: !Bool, closes :: !Bool}
// Brackets that open are numbered; a bracket is closed by a link, or it is text.
:: Token = Plain !Html | Run !Run | Open !Int | Link !Html
// Emphasis (or a link) that is open, and the HTML before it.
:: Frame = {run :: !Run, before :: !Html}

inline :: !String -> Html
inline s
	# (tokens, links) = lex s 0 0 [] [] (lastTicks s) 0 []
	= emphasised tokens links [] None

// Tokens and the numbers of the brackets that are links: links are never inside of links, so their order is that of the text.
lex :: !String !Int !Int ![Token] ![Int] !{#Int} !Int ![Int] -> (![Token], ![Int])
lex s begin i tokens open ticks n links
	| i >= size s = (reverse (text tokens) [], reverse links [])
	= case at s i of
		'\\' -> escape (i + 1)
		'`' -> ticked (runOf '`' s i (size s))
		'*' -> run '*' (runOf '*' s i (size s))
		'_' -> run '_' (runOf '_' s i (size s))
		'[' -> lex s (i + 1) (i + 1) [Open n : text tokens] [n:open] ticks (n + 1) links
		']' -> close open
		'<' -> autolink (endOfAddress s (i + 1))
		'\n' -> newline
		_ -> lex s begin (i + 1) tokens open ticks n links
where
	text tokens = if (begin < i) [Plain (Escaped s begin i) : tokens] tokens
	on j token = lex s j j [token : text tokens] open ticks n links

	escape j
		| j == size s = lex s begin j tokens open ticks n links
		| is '\n' (at s j) = on (endOfSpaces s (j + 1) (size s)) (Plain (Raw "<br />\n"))
		| isPunctuation (at s j) = lex s j (j + 1) (text tokens) open ticks n links
		= lex s begin j tokens open ticks n links

	ticked k
		| k > longest || tickAt ticks k <= i = lex s begin (i + k) tokens open ticks n links
		# end = ticksFrom s k (i + k)
		= on (end + k) (Plain (Raw "<code>" <+> codeSpan s (i + k) end <+> Raw "</code>"))

	run c k
		# (before, after) = (if (i == 0) '\n' (at s (i - 1)), if (i + k == size s) '\n' (at s (i + k)))
		# left = not (isSpace after) && (not (isPunctuation after) || isSpace before || isPunctuation before)
		# right = not (isSpace before) && (not (isPunctuation before) || isSpace after || isPunctuation after)
		# (opens, closes) = if (is c '*') (left, right)
				(left && (not right || isPunctuation before), right && (not left || isPunctuation after))
		= on (i + k) (Run {char = c, length = k, whole = k, opens = opens, closes = closes})

	close [m:rest]
		# (end, address) = target s (i + 1)
		| end > 0 = lex s end end [Link address : text tokens] [] ticks n [m:links]
		= lex s begin (i + 1) tokens rest ticks n links
	close [] = lex s begin (i + 1) tokens open ticks n links

	autolink end
		| end == size s || not (is '>' (at s end)) || not (hasScheme s (i + 1) end) || not (isSafe s (i + 1) end)
			= lex s begin (i + 1) tokens open ticks n links
		# address = Escaped s (i + 1) end
		= on (end + 1) (Plain (Raw "<a href=\"" <+> address <+> Raw "\">" <+> address <+> Raw "</a>"))

	newline
		# end = trimmed s begin i
		# html = Escaped s begin end <+> (if (i > end + 1) (Raw "<br />\n") (Raw "\n"))
		# next = endOfSpaces s (i + 1) (size s)
		= lex s next next [Plain html : tokens] open ticks n links

// Runs of more backticks are text.
longest :== 64

// Where the last run of so many backticks begins: a search for one that does not exist would be repeated.
lastTicks :: !String -> {#Int}
lastTicks s
	# i = find '`' s 0 (size s)
	| i == size s = newInts 1 -1
	= all i (newInts (longest + 1) -1)
where
	all :: !Int !*{#Int} -> *{#Int}
	all i last
		| i >= size s = last
		# n = runOf '`' s i (size s)
		# next = find '`' s (i + n) (size s)
		| n > longest = all next last
		= all next (putInt last n i)

tickAt :: !{#Int} !Int -> Int
tickAt last n = getInt last n

ticksFrom :: !String !Int !Int -> Int
ticksFrom s k i
	# i = find '`' s i (size s)
	# n = runOf '`' s i (size s)
	| n == k = i
	= ticksFrom s k (i + n)

codeSpan :: !String !Int !Int -> Html
codeSpan s begin to
	# s = slice s begin (to - 1)
	# s = if (find '\n' s 0 (size s) < size s) (withSpaces s) s
	# end = size s
	| end > 1 && is ' ' (at s 0) && is ' ' (at s (end - 1)) && endOfSpaces s 0 end < end = Escaped s 1 (end - 1)
	= Escaped s 0 end

// The destination and the title in parentheses after a bracket. Where the parentheses end, or 0.
target :: !String !Int -> (!Int, !Html)
target s i
	| i >= size s || not (is '(' (at s i)) = (0, None)
	# i = endOfSpaces s (i + 1) (size s)
	| i < size s && is '<' (at s i)
		# end = endOfAddress s (i + 1)
		| end < size s && is '>' (at s end) = title (i + 1) end (end + 1)
		= (0, None)
	# end = destination i 0
	= title i end end
where
	destination :: !Int !Int -> Int
	destination i depth
		| i >= size s = i
		# c = at s i
		| isSpace c = i
		| is '(' c = if (depth == deepest) i (destination (i + 1) (depth + 1))
		| is ')' c = if (depth == 0) i (destination (i + 1) (depth - 1))
		| is '\\' c && i + 1 < size s && isPunctuation (at s (i + 1)) = destination (i + 2) depth
		= destination (i + 1) depth

	title :: !Int !Int !Int -> (!Int, !Html)
	title begin to i
		# j = endOfSpaces s i (size s)
		| j >= size s || not (isSafe s begin to) = (0, None)
		# c = at s j
		# address = Raw " href=\"" <+> unescaped s begin to <+> Raw "\""
		| is ')' c = (j + 1, address)
		| j > i && (is '"' c || is '\'' c)
			# end = quoted c (j + 1)
			# k = endOfSpaces s (end + 1) (size s)
			| k < size s && is ')' (at s k) = (k + 1, address <+> Raw " title=\"" <+> unescaped s (j + 1) end <+> Raw "\"")
			= (0, None)
		= (0, None)

	quoted :: !Char !Int -> Int
	quoted c i
		| i >= size s || is c (at s i) = i
		| is '\\' (at s i) = quoted c (i + 2)
		= quoted c (i + 1)

// Where an address in < > ends.
endOfAddress :: !String !Int -> Int
endOfAddress s i
	| i >= size s = size s
	# c = at s i
	| is '>' c || is '<' c || isSpace c = i
	= endOfAddress s (i + 1)

hasScheme :: !String !Int !Int -> Bool
hasScheme s begin to = schemeEnd s begin to > begin + 1

// Where the colon is, or 0.
schemeEnd :: !String !Int !Int -> Int
schemeEnd s i to
	| i == to = 0
	= case at s i of
		':' -> i
		'/' -> 0
		'?' -> 0
		'#' -> 0
		_ -> schemeEnd s (i + 1) to

// Links lead to pages and to mail: one to a script is text.
isSafe :: !String !Int !Int -> Bool
isSafe s begin to
	# end = schemeEnd s begin to
	= end == 0 || isScheme (lowered s begin end)
where
	isScheme "http" = True
	isScheme "https" = True
	isScheme "mailto" = True
	isScheme _ = False

	lowered s begin end
		= fill begin (new (end - begin) ' ')
	where
		fill :: !Int !*String -> *String
		fill i out
			| i == end = out
			= fill (i + 1) (put out (i - begin) (lower (at s i)))

	lower c
		# n = toInt c
		= if (n > 64 && n < 91) (toChar (n + 32)) c

// --- emphasis

emphasised :: ![Token] ![Int] ![Frame] !Html -> Html
emphasised [Plain text : rest] links frames html = emphasised rest links frames (html <+> text)
emphasised [Open n : rest] links frames html
	= case links of
		[m:others] | m == n -> emphasised rest others [{run = bracket, before = html} : frames] None
		_ -> emphasised rest links frames (html <+> Raw "[")
emphasised [Link address : rest] links frames html
	# (html, frames) = unmatched frames html
	# [{before} : frames] = frames
	= emphasised rest links frames (before <+> Raw "<a" <+> address <+> Raw ">" <+> html <+> Raw "</a>")
emphasised [Run run : rest] links frames html
	# n = if run.closes (opener run frames 0) -1
	| n >= 0
		# ([{run = open, before} : frames], html) = dropped n frames html
		# (k, begin, end) = if (run.length > 1 && open.length > 1) (2, "<strong>", "</strong>") (1, "<em>", "</em>")
		# html = wrapped begin html end
		# rest = if (run.length > k) [Run {run & length = run.length - k} : rest] rest
		| open.length > k
			= emphasised rest links [{run = {open & length = open.length - k}, before = before} : frames] html
		= emphasised rest links frames (before <+> html)
	| run.opens = emphasised rest links [{run = run, before = html} : frames] None
	= emphasised rest links frames (html <+> marks run)
emphasised [] _ frames html = fst (unmatched frames html)

bracket = {char = '[', length = 1, whole = 1, opens = False, closes = False}

marks :: !Run -> Html
marks run = Raw (filled run.length run.char)

// How many frames lie above the opener, or -1.
opener :: !Run ![Frame] !Int -> Int
opener run [{run = open} : frames] n
	| is '[' open.char || n == deepest = -1
	| is run.char open.char && fits open = n
	= opener run frames (n + 1)
where
	// CommonMark's rule of three.
	fits open = not (open.closes || run.opens) || (open.whole + run.whole) rem 3 > 0
		|| (open.whole rem 3 == 0 && run.whole rem 3 == 0)
opener _ [] _ = -1

dropped :: !Int ![Frame] !Html -> (![Frame], !Html)
dropped 0 frames html = (frames, html)
dropped n [{run, before} : frames] html = dropped (n - 1) frames (before <+> marks run <+> html)

// All that is open becomes text, up to a link.
unmatched :: ![Frame] !Html -> (!Html, ![Frame])
unmatched [{run, before} : frames] html
	| not (is '[' run.char) = unmatched frames (before <+> marks run <+> html)
unmatched frames html = (html, frames)
