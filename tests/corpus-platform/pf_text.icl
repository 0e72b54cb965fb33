module pf_text

import StdEnv, Text, Text.StringAppender, Text.URI

line = "  The quick, brown fox; jumps over the lazy dog  "

Start = ( textSize line, trim line, split " " (trim line), join "-" ["a", "b", "c"], indexOf "fox" line, lastIndexOf "o" line
        , startsWith "The" (trim line), endsWith "dog" (trim line), subString 4 5 (trim line)
        , replaceSubString "o" "00" line, lpad "7" 3 '0', rpad "7" 3 '.', toUpperCase line, upperCaseFirst "word"
        , concat ["x", "yy", "zzz"], dropChars 2 "abcdef", 12 <+ " is " <+ 3.5
        , indexOfAfter 20 "e" line
        )
