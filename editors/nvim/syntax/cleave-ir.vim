" Made from tests/editors/languages.rs
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax sync fromstart
syntax match cleave_irOperator /\v-\>|\=/
syntax match cleave_irNumber /\v[-+]%(e[-+]|[A-Za-z0-9_.])+|[0-9]%(e[-+]|[A-Za-z0-9_.])*/
syntax match cleave_irKeyword /\v%([A-Za-z_][A-Za-z0-9_.]*)%([A-Za-z0-9_.])@!/
syntax match cleave_irIdentifier /\v%(v[0-9]+|s[0-9]+|static[0-9]+)%([A-Za-z0-9_.])@!/
syntax match cleave_irLabel /\v%(block[0-9]+)%([A-Za-z0-9_.])@!/
syntax keyword cleave_irType ref i32 i64 f64
syntax match cleave_irString /\v"%([^"\\\n]|\\.)*"/
syntax match cleave_irIdentifier /\v[&^%]%([A-Za-z0-9_.]+|"%([^"\\\n]|\\.)*")/
syntax match cleave_irType /\v\$%([A-Za-z0-9_.]+|"%([^"\\\n]|\\.)*")/
syntax match cleave_irFunction /\v\@%([A-Za-z0-9_.]+|"%([^"\\\n]|\\.)*")/
syntax match cleave_irComment /\v;[^\n]*/
highlight default link cleave_irComment Comment
highlight default link cleave_irString String
highlight default link cleave_irNumber Number
highlight default link cleave_irKeyword Keyword
highlight default link cleave_irOperator Operator
highlight default link cleave_irType Type
highlight default link cleave_irFunction Function
highlight default link cleave_irLabel Label
let b:current_syntax = "cleave-ir"
