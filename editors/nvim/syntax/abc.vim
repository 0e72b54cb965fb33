" Made from tests/editors/languages.rs
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax sync fromstart
syntax match abcIdentifier /\v%([^ \t\r\n|][^ \t\r\n]*)%([^ \t\r\n])@!/
syntax match abcNumber /\v%([-+]?%(0[xX][0-9a-fA-F]+|0[oO][0-7]+|[0-9]+%(\.[0-9]*)?%([eE][-+]?[0-9]+)?))%([^ \t\r\n])@!/
syntax match abcString /\v%('%(\\[0-7]+|\\.|[^'\\\n])')%([^ \t\r\n])@!/
syntax match abcString /\v%("%([^"\\\n]|\\.)*")%([^ \t\r\n])@!/
syntax match abcComment /\v\|[^\n]*/
syntax match abcKeyword /\v^[ \t]+[^ \t|][^ \t]*/
syntax match abcFunction /\v^[^ \t|.][^ \t]*/
syntax match abcPreProc /\v^\.[^ \t]*/
syntax match abcComment /\v%(^|[ \t])\zs\|.*$/
highlight default link abcComment Comment
highlight default link abcString String
highlight default link abcNumber Number
highlight default link abcKeyword Keyword
highlight default link abcFunction Function
highlight default link abcPreProc PreProc
let b:current_syntax = "abc"
