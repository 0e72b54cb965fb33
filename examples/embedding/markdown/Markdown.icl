implementation module Markdown

// Markdown as HTML, in time linear in the text.
//
//   blocks     lines become blocks; what is inside of a quote or a list item is lines again, at most `deepest` levels
//   inline     the text of a paragraph becomes tokens, then emphasis is found with a stack of openers
//   written    HTML is a tree of pieces until the end, when it is measured and written at once
//
// The rules are those of CommonMark; README.md says what is left out. The module needs no library: what StdEnv
// would bring is at its end.

:: Html = None | Raw !String | Escaped !String !Int !Int | Both !Html !Html

// A line without its indentation, and how many columns that is.
:: Line = {indent :: !Int, begin :: !Int, to :: !Int}

// A paragraph stands without <p> in a list whose items no blank lines separate.
:: Block = Paragraph !Html | Other !Html

html :: !String -> String
html source = written (loose (fst (blocks source deepest (linesOf source 0))))

// How deep quotes and lists are nested, and how far an opener of emphasis is looked for: it makes the time linear.
deepest :== 32

// --- lines

linesOf :: !String !Int -> [Line]
linesOf s i
	| i >= size s = []
	# end = endOfLine s i
	= [line s i (withoutReturn s i end) 0 0 : linesOf s (end + 1)]

endOfLine :: !String !Int -> Int
endOfLine s i
	| i >= size s = i
	= case at s i of
		'\n' -> i
		_ -> endOfLine s (i + 1)

withoutReturn :: !String !Int !Int -> Int
withoutReturn s i end
	| end > i && is '\r' (at s (end - 1)) = end - 1
	= end

// Tabs end at every fourth column; the line begins at this one.
line :: !String !Int !Int !Int !Int -> Line
line s i end column indent
	| i >= end = {indent = indent, begin = end, to = end}
	= case at s i of
		' ' -> line s (i + 1) end column (indent + 1)
		'\t' -> line s (i + 1) end column (indent + 4 - (column + indent) rem 4)
		_ -> {indent = indent, begin = i, to = end}

isBlank :: !Line -> Bool
isBlank l = l.begin == l.to

outdent :: !Int !Line -> Line
outdent n l
	| l.indent < n = {l & indent = 0}
	= {l & indent = l.indent - n}

first :: !String !Line -> Char
first s l = if (l.begin < l.to) (at s l.begin) '\n'

// --- what a line begins

isHeading :: !String !Line -> Int
isHeading s l
	| l.indent > 3 = 0
	# n = runOf '#' s l.begin l.to
	| n > 6 = 0
	| l.begin + n == l.to || isSpace (at s (l.begin + n)) = n
	= 0

isRule :: !String !Line -> Bool
isRule s l
	| l.indent > 3 || isBlank l = False
	= case at s l.begin of
		'*' -> count '*' l.begin 0
		'-' -> count '-' l.begin 0
		'_' -> count '_' l.begin 0
		_ -> False
where
	count :: !Char !Int !Int -> Bool
	count c i n
		| i == l.to = n > 2
		| is c (at s i) = count c (i + 1) (n + 1)
		| isSpace (at s i) = count c (i + 1) n
		= False

// The length of a fence, or 0.
isFence :: !String !Line -> Int
isFence s l
	| l.indent > 3 = 0
	= case first s l of
		'`' -> fence (runOf '`' s l.begin l.to)
		'~' -> long (runOf '~' s l.begin l.to)
		_ -> 0
where
	long n = if (n > 2) n 0
	fence n = if (find '`' s (l.begin + n) l.to < l.to) 0 (long n)

isQuote :: !String !Line -> Bool
isQuote s l = l.indent < 4 && is '>' (first s l)

unquoted :: !String !Line -> Line
unquoted s l
	# inner = line s (l.begin + 1) l.to (l.indent + 1) 0
	= outdent 1 inner

// The marker of a list item: its last character, its width (0: there is none), the number of an ordered one.
marker :: !String !Line -> (!Char, !Int, !Int)
marker s l
	| l.indent > 3 || isBlank l = (' ', 0, 0)
	= case at s l.begin of
		'-' -> bullet '-'
		'+' -> bullet '+'
		'*' -> bullet '*'
		_ -> number l.begin 0
where
	bullet c = if (ends (l.begin + 1)) (c, 1, 0) (' ', 0, 0)
	ends i = i == l.to || isSpace (at s i)

	number :: !Int !Int -> (!Char, !Int, !Int)
	number i n
		| i == l.to || i - l.begin > 9 = (' ', 0, 0)
		# c = at s i
		| isDigit c = number (i + 1) (n * 10 + toInt c - 48)
		| i > l.begin && (is '.' c || is ')' c) && ends (i + 1) = (c, i + 1 - l.begin, n)
		= (' ', 0, 0)

// Whether a line ends a paragraph above it.
interrupts :: !String !Line -> Bool
interrupts s l
	| isBlank l = True
	| l.indent > 3 = False
	| isHeading s l > 0 || isFence s l > 0 || isQuote s l || isRule s l = True
	# (c, width, n) = marker s l
	= width > 0 && l.begin + width < l.to && (n == 1 || not (is '.' c || is ')' c))

// Whether a line ends a quote or a list item above it whose text it might continue: every marker does.
leaves :: !String !Line -> Bool
leaves s l
	| interrupts s l = True
	# (_, width, _) = marker s l
	= width > 0

// Whether a line is, inside of all its quotes and list items, text that the next line may continue.
isText :: !String !Int !Line -> Bool
isText s depth l
	| depth == 0 = True
	| isBlank l || l.indent > 3 || isHeading s l > 0 || isFence s l > 0 || isRule s l = False
	| isQuote s l = isText s (depth - 1) (unquoted s l)
	# (_, width, _) = marker s l
	| width > 0 = isText s (depth - 1) (snd (content s l width))
	= True

// --- blocks

// The blocks of lines, and whether a blank line separates two of them.
blocks :: !String !Int ![Line] -> (![Block], !Bool)
blocks s depth ls = all ls [] False False
where
	all :: ![Line] ![Block] !Bool !Bool -> (![Block], !Bool)
	all [] done _ spaced = (reverse done [], spaced)
	all [l:ls] done blank spaced
		| isBlank l = all ls done (notEmpty done) spaced
		# spaced = spaced || blank
		| l.indent > 3
			# (text, rest) = indented [l:ls] None None
			= all rest [Other (wrapped "<pre><code>" text "</code></pre>\n") : done] False spaced
		# n = isHeading s l
		| n > 0 = all ls [Other (heading n (headingText s (l.begin + n) l.to)) : done] False spaced
		# n = isFence s l
		| n > 0
			# (text, rest) = fenced (first s l) n l.indent ls None
			# text = language s (l.begin + n) l.to <+> text
			= all rest [Other (wrapped "<pre><code" text "</code></pre>\n") : done] False spaced
		| isRule s l = all ls [Other (Raw "<hr />\n") : done] False spaced
		| depth > 0 && isQuote s l
			# (inner, rest) = quote s [l:ls] False False []
			= all rest [Other (wrapped "<blockquote>\n" (loose (fst (blocks s (depth - 1) inner))) "</blockquote>\n") : done] False spaced
		# (c, width, n) = marker s l
		| depth > 0 && width > 0
			# (list, rest, blank) = items s depth c [l:ls] [] False
			= all rest [Other (listOf c n list) : done] blank spaced
		# (text, level, rest) = paragraph s ls [l]
		| level > 0 = all rest [Other (heading level (inline text)) : done] False spaced
		= all rest [Paragraph (inline text) : done] False spaced

	// Blank lines belong to the code if more code follows.
	indented :: ![Line] !Html !Html -> (!Html, ![Line])
	indented [l:ls] blank text
		| isBlank l = indented ls (blank <+> codeLine s 4 l) text
		| l.indent > 3 = indented ls None (text <+> blank <+> codeLine s 4 l)
		= (text, if (isNone blank) [l:ls] [emptyLine:[l:ls]])
	indented [] _ text = (text, [])

	fenced :: !Char !Int !Int ![Line] !Html -> (!Html, ![Line])
	fenced c n indent [l:ls] text
		| l.indent < 4 && closes (runOf c s l.begin l.to) = (text, ls)
		= fenced c n indent ls (text <+> codeLine s indent l)
	where
		closes m = m >= n && endOfSpaces s (l.begin + m) l.to == l.to
	fenced _ _ _ [] text = (text, [])

emptyLine = {indent = 0, begin = 0, to = 0}

codeLine :: !String !Int !Line -> Html
codeLine s n l
	# l = outdent n l
	= spaces l.indent <+> Escaped s l.begin l.to <+> Raw "\n"

spaces :: !Int -> Html
spaces n = if (n == 0) None (Raw (filled n ' '))

language :: !String !Int !Int -> Html
language s begin to
	# begin = endOfSpaces s begin to
	| begin == to = Raw ">"
	= Raw " class=\"language-" <+> unescaped s begin (endOfWord s begin to) <+> Raw "\">"

heading :: !Int !Html -> Html
heading n text
	# name = slice "123456" (n - 1) (n - 1)
	= Raw ("<h" +++ name +++ ">") <+> text <+> Raw ("</h" +++ name +++ ">\n")

// Without the spaces around, and without a closing sequence of #.
headingText :: !String !Int !Int -> Html
headingText s begin to
	# begin = endOfSpaces s begin to
	# to = trimmed s begin to
	# hashes = beforeRun '#' s begin to
	| hashes == begin = None
	| hashes < to && isSpace (at s (hashes - 1)) = inline (slice s begin (trimmed s begin hashes - 1))
	= inline (slice s begin (to - 1))

// The lines of a paragraph, backwards at first. 1 or 2: they are a heading that is underlined.
paragraph :: !String ![Line] ![Line] -> (!String, !Int, ![Line])
paragraph s [l:ls] done
	| l.indent < 4 && not (isBlank l)
		# level = underline (at s l.begin)
		| level > 0 = (joined s done, level, ls)
		| interrupts s l = (joined s done, 0, [l:ls])
		= paragraph s ls [l:done]
	| isBlank l = (joined s done, 0, [l:ls])
	= paragraph s ls [l:done]
where
	underline :: !Char -> Int
	underline c
		| is c '=' || is c '-'
			| endOfSpaces s (l.begin + runOf c s l.begin l.to) l.to == l.to = if (is c '=') 1 2
			= 0
		= 0
paragraph s [] done = (joined s done, 0, [])

// The lines of a quote. A line without > may continue a paragraph: then it is indented so far that it begins nothing.
quote :: !String ![Line] !Bool !Bool ![Line] -> (![Line], ![Line])
quote s [l:ls] open inCode done
	| isQuote s l
		# inner = unquoted s l
		# inCode = if (isFence s inner > 0) (not inCode) inCode
		= quote s ls (not inCode && isOpen open inner) inCode [inner:done]
	| open && not (leaves s l) = quote s ls True False [{l & indent = 4}:done]
	= (reverse done [], [l:ls])
where
	isOpen open inner = isText s deepest inner || (open && inner.indent > 3 && not (isBlank inner))
quote _ [] _ _ done = (reverse done [], [])

// --- lists

// The column where the content of an item begins, and its first line.
content :: !String !Line !Int -> (!Int, !Line)
content s l width
	# inner = line s (l.begin + width) l.to (l.indent + width) 0
	| isBlank inner = (width + 1, {inner & indent = 0})
	| inner.indent > 4 = (width + 1, outdent 1 inner)
	= (width + inner.indent, {inner & indent = 0})

// The items of a list, backwards at first: whether the list is loose, and whether blank lines come after it.
items :: !String !Int !Char ![Line] ![[Block]] !Bool -> (!([[Block]], Bool), ![Line], !Bool)
items s depth c [l:ls] done isLoose
	# (d, width, _) = marker s l
	| width == 0 || not (is c d) || isRule s l = ((reverse done [], isLoose), [l:ls], False)
	# (column, inner) = content s l width
	# (inside, rest, blank) = item s (l.indent + column) ls (isText s deepest inner) (isFence s inner > 0) [inner]
	# (parts, spaced) = blocks s (depth - 1) inside
	# isLoose = isLoose || spaced
	# done = [parts:done]
	| follows rest = items s depth c rest done (isLoose || blank)
	= ((reverse done [], isLoose), rest, blank)
where
	follows [l:_]
		# (d, width, _) = marker s l
		= width > 0 && is c d && not (isRule s l)
	follows [] = False
items _ _ _ [] done isLoose = ((reverse done [], isLoose), [], False)

// The other lines of an item: without the blank lines at its end.
item :: !String !Int ![Line] !Bool !Bool ![Line] -> (![Line], ![Line], !Bool)
item s column [l:ls] open inCode done
	| isBlank l
		| onlyBlank done = (reverse done [], [l:ls], True)
		= item s column ls False inCode [l:done]
	| l.indent >= column
		# inner = outdent column l
		# inCode = if (isFence s inner > 0) (not inCode) inCode
		= item s column ls (not inCode && (isText s deepest inner || (open && inner.indent > 3))) inCode [inner:done]
	| open && not (leaves s l) = item s column ls True False [{l & indent = 4}:done]
	= ended done [l:ls] False
item _ _ [] _ _ done = ended done [] False

ended :: ![Line] ![Line] !Bool -> (![Line], ![Line], !Bool)
ended [l:done] rest blank
	| isBlank l && notEmpty done = ended done rest True
ended done rest blank = (reverse done [], rest, blank)

onlyBlank :: ![Line] -> Bool
onlyBlank [l] = isBlank l
onlyBlank _ = False

listOf :: !Char !Int !([[Block]], Bool) -> Html
listOf c n (all, isLoose)
	| is c '.' || is c ')' = wrapped (start n) (each all None) "</ol>\n"
	= wrapped "<ul>\n" (each all None) "</ul>\n"
where
	start 1 = "<ol>\n"
	start n = "<ol start=\"" +++ decimal n +++ "\">\n"

	each :: ![[Block]] !Html -> Html
	each [parts:rest] html
		= each rest (html <+> Raw "<li>" <+> (if isLoose (spacious parts) (tight parts True)) <+> Raw "</li>\n")
	each [] html = html

	spacious [] = None
	spacious parts = Raw "\n" <+> loose parts

	// Whether a line ends where the next block begins.
	tight [Paragraph text : rest] _ = text <+> tight rest True
	tight [Other block : rest] True = Raw "\n" <+> block <+> tight rest False
	tight [Other block : rest] _ = block <+> tight rest False
	tight [] _ = None

loose :: ![Block] -> Html
loose parts = all parts None
where
	all :: ![Block] !Html -> Html
	all [Paragraph text : rest] html = all rest (html <+> wrapped "<p>" text "</p>\n")
	all [Other block : rest] html = all rest (html <+> block)
	all [] html = html

// --- text

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

unescaped :: !String !Int !Int -> Html
unescaped s begin to = all begin begin None
where
	all :: !Int !Int !Html -> Html
	all start i html
		| i >= to = html <+> Escaped s start to
		| is '\\' (at s i) && i + 1 < to && isPunctuation (at s (i + 1))
			= all (i + 1) (i + 2) (html <+> Escaped s start i)
		= all start (i + 1) html

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

// --- HTML

(<+>) infixr 5 :: !Html !Html -> Html
(<+>) None b = b
(<+>) a None = a
(<+>) a b = Both a b

isNone :: !Html -> Bool
isNone None = True
isNone _ = False

wrapped :: !String !Html !String -> Html
wrapped begin html end = Raw begin <+> html <+> Raw end

written :: !Html -> String
written html = write html [] 0 (new (measure html [] 0) ' ')

measure :: !Html ![Html] !Int -> Int
measure (Both a b) rest n = measure a [b:rest] n
measure html rest n
	# n = n + sizeOf html
	= case rest of
		[next:rest] -> measure next rest n
		[] -> n
where
	sizeOf (Raw s) = size s
	sizeOf (Escaped s begin to) = escapedSize s begin to 0
	sizeOf None = 0

escapedSize :: !String !Int !Int !Int -> Int
escapedSize s i to n
	| i >= to = n
	= escapedSize s (i + 1) to (n + width (at s i))
where
	width '&' = 5
	width '<' = 4
	width '>' = 4
	width '"' = 6
	width _ = 1

write :: !Html ![Html] !Int !*String -> *String
write (Both a b) rest n out = write a [b:rest] n out
write html rest n out
	# (n, out) = piece html n out
	= case rest of
		[next:rest] -> write next rest n out
		[] -> out
where
	piece :: !Html !Int !*String -> (!Int, !*String)
	piece (Raw s) n out = copy s 0 (size s) n out
	piece (Escaped s begin to) n out = escaped s begin to n out
	piece None n out = (n, out)

copy :: !String !Int !Int !Int !*String -> (!Int, !*String)
copy s i to n out
	| i >= to = (n, out)
	= copy s (i + 1) to (n + 1) (put out n (at s i))

escaped :: !String !Int !Int !Int !*String -> (!Int, !*String)
escaped s i to n out
	| i >= to = (n, out)
	= case at s i of
		'&' -> entity "&amp;"
		'<' -> entity "&lt;"
		'>' -> entity "&gt;"
		'"' -> entity "&quot;"
		c -> escaped s (i + 1) to (n + 1) (put out n c)
where
	entity e
		# (n, out) = copy e 0 (size e) n out
		= escaped s (i + 1) to n out

// --- characters and strings

is :: !Char !Char -> Bool
is a b = code inline { eqC }

isSpace :: !Char -> Bool
isSpace ' ' = True
isSpace '\t' = True
isSpace '\n' = True
isSpace '\r' = True
isSpace _ = False

isDigit :: !Char -> Bool
isDigit c = toInt c > 47 && toInt c < 58

isPunctuation :: !Char -> Bool
isPunctuation c
	# n = toInt c
	= n > 32 && n < 48 || n > 57 && n < 65 || n > 90 && n < 97 || n > 122 && n < 127

runOf :: !Char !String !Int !Int -> Int
runOf c s begin to = count begin
where
	count :: !Int -> Int
	count i
		| i < to && is c (at s i) = count (i + 1)
		= i - begin

beforeRun :: !Char !String !Int !Int -> Int
beforeRun c s begin to
	| to > begin && is c (at s (to - 1)) = beforeRun c s begin (to - 1)
	= to

find :: !Char !String !Int !Int -> Int
find c s i to
	| i >= to || is c (at s i) = if (i < to) i to
	= find c s (i + 1) to

endOfSpaces :: !String !Int !Int -> Int
endOfSpaces s i to
	| i < to && isSpace (at s i) = endOfSpaces s (i + 1) to
	= i

endOfWord :: !String !Int !Int -> Int
endOfWord s i to
	| i < to && not (isSpace (at s i)) = endOfWord s (i + 1) to
	= i

trimmed :: !String !Int !Int -> Int
trimmed s begin to
	| to > begin && isSpace (at s (to - 1)) = trimmed s begin (to - 1)
	= to

// Lines, the last one first, with newlines between them and without spaces at the end.
joined :: !String ![Line] -> String
joined s [l] = slice s l.begin (trimmed s l.begin l.to - 1)
joined s ls = cut (fill ls total (new total '\n'))
where
	total = sum ls -1
	sum [l:ls] n = sum ls (n + 1 + l.to - l.begin)
	sum [] n = n
	cut text = slice text 0 (trimmed text 0 (size text) - 1)

	fill :: ![Line] !Int !*String -> *String
	fill [l:ls] end out
		# begin = end - (l.to - l.begin)
		# (_, out) = copy s l.begin l.to begin out
		= fill ls (begin - 1) out
	fill [] _ out = out

withSpaces :: !String -> String
withSpaces s = all 0 (new (size s) ' ')
where
	all :: !Int !*String -> *String
	all i out
		| i == size s = out
		= all (i + 1) (put out i (if (is '\n' (at s i)) ' ' (at s i)))

filled :: !Int !Char -> String
filled n c = new n c

decimal :: !Int -> String
decimal n = code inline {
		.d 0 1 i
			jsr ItoAC
		.o 1 0
	}

size :: !String -> Int
size s = code inline { push_arraysize CHAR 0 1 }

at :: !String !Int -> Char
at s i = code inline { select CHAR 0 1 }

new :: !Int !Char -> *String
new n c = code inline { create_array CHAR 0 1 }

put :: !*String !Int !Char -> *String
put s i c = code inline { update CHAR 0 1 }

// From an index to another one, which may be less: then it is empty.
slice :: !String !Int !Int -> *String
slice s a b = code inline {
		.d 1 2 ii
			jsr sliceAC
		.o 1 0
	}

(+++) infixr 5 :: !String !String -> String
(+++) a b = code inline {
		.d 2 0
			jsr catAC
		.o 1 0
	}

newInts :: !Int !Int -> *{#Int}
newInts n x = code inline { create_array INT 0 1 }

getInt :: !{#Int} !Int -> Int
getInt a i = code inline { select INT 0 1 }

putInt :: !*{#Int} !Int !Int -> *{#Int}
putInt a i x = code inline { update INT 0 1 }

// --- numbers, Booleans, lists

(+) infixl 6 :: !Int !Int -> Int
(+) a b = code inline { addI }
(-) infixl 6 :: !Int !Int -> Int
(-) a b = code inline { subI }
(*) infixl 7 :: !Int !Int -> Int
(*) a b = code inline { mulI }
(rem) infix 7 :: !Int !Int -> Int
(rem) a b = code inline { remI }
(==) infix 4 :: !Int !Int -> Bool
(==) a b = code inline { eqI }
(<) infix 4 :: !Int !Int -> Bool
(<) a b = code inline { ltI }
(>) infix 4
(>) a b :== b < a
(<=) infix 4
(<=) a b :== not (b < a)
(>=) infix 4
(>=) a b :== not (a < b)
(&&) infixr 3
(&&) a b :== if a b False
(||) infixr 2
(||) a b :== if a True b

not :: !Bool -> Bool
not b = code inline { notB }
toInt :: !Char -> Int
toInt c = code inline { CtoI }
toChar :: !Int -> Char
toChar n = code inline { ItoC }

reverse :: ![a] ![a] -> [a]
reverse [x:xs] done = reverse xs [x:done]
reverse [] done = done

notEmpty :: ![a] -> Bool
notEmpty [] = False
notEmpty _ = True

fst :: !(!a, b) -> a
fst (a, _) = a
snd :: !(a, !b) -> b
snd (_, b) = b
