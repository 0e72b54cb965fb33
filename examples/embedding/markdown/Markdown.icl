implementation module Markdown

import Inline, Text

// Markdown as HTML, in time linear in the text.
//
// Here lines become blocks; what is inside of a quote or a list item is lines again, at most `deepest` levels. Inline
// has the text of paragraphs, Text the HTML and what a library would bring: none is needed.
//
// The rules are those of CommonMark; README.md says what is left out.

// A line without its indentation, and how many columns that is.
:: Line = {indent :: !Int, begin :: !Int, to :: !Int}

// A paragraph stands without <p> in a list whose items no blank lines separate.
:: Block = Paragraph !Html | Other !Html

html :: !String -> String
html source = written (loose (fst (blocks source deepest (linesOf source 0))))

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
