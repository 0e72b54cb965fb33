" Made from tests/editors/languages.rs
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax sync fromstart
syntax match goopeaOperator "\v[=!<>]\=|[-+*/%<>=]"
syntax match goopeaIdentifier /\v%(_*[a-z][A-Za-z0-9_]*|_)%([A-Za-z0-9_])@!/
syntax match goopeaType /\v%(_*[A-Z][A-Za-z0-9_]*)%([A-Za-z0-9_])@!/
syntax match goopeaNumber /\v[0-9]+/
syntax keyword goopeaKeyword fip match enum let in
syntax match goopeaPreProc /\v^[ \t]*#[^\n]*/
syntax match goopeaComment "\v//[^\n]*"
highlight default link goopeaComment Comment
highlight default link goopeaNumber Number
highlight default link goopeaKeyword Keyword
highlight default link goopeaOperator Operator
highlight default link goopeaType Type
highlight default link goopeaPreProc PreProc
let b:current_syntax = "goopea"
