" Made from tests/editors/languages.rs
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax sync fromstart
syntax match cleanOperator "\v[-~@#$%^?!+*<>\\/|&=:.]+"
syntax match cleanIdentifier /\v%(_*[a-z][A-Za-z0-9_`]*|_)%([A-Za-z0-9_`])@!/
syntax match cleanType /\v%(_*[A-Z][A-Za-z0-9_`]*)%([A-Za-z0-9_`])@!/
syntax match cleanNumber /\v%(0x[0-9a-fA-F]+|0[0-7]+|[0-9]+%(\.[0-9]+)?%([eE][-+]?[0-9]+)?)%([A-Za-z0-9_`])@!/
syntax keyword cleanKeyword module definition implementation system import from qualified as where with let in case of if otherwise class instance derive generic infix infixl infixr special export foreign dynamic code inline
syntax match cleanString /\v'%([^'\\\n]|\\.)*'/
syntax match cleanString /\v"%([^"\\\n]|\\.)*"/
syntax match cleanComment "\v//[^\n]*"
syntax region cleanComment start="/\*" end="\*/" contains=cleanComment
highlight default link cleanComment Comment
highlight default link cleanString String
highlight default link cleanNumber Number
highlight default link cleanKeyword Keyword
highlight default link cleanOperator Operator
highlight default link cleanType Type
let b:current_syntax = "clean"
