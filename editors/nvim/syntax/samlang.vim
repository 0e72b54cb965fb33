" Made from tests/editors/languages.rs
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax sync fromstart
syntax match samlangOperator "\v\.\.\.|-\>|::|\&\&|\|\||[=!<>]\=|[-+*/%<>=!|?]"
syntax match samlangIdentifier /\v%([a-z][A-Za-z0-9_]*|_)%([A-Za-z0-9_])@!/
syntax match samlangType /\v%([A-Z][A-Za-z0-9_]*)%([A-Za-z0-9_])@!/
syntax match samlangNumber /\v%([0-9]+)%([A-Za-z0-9_])@!/
syntax keyword samlangKeyword import from class interface val function method as private protected internal public if then else match return int bool unit true false this self const string let var type constructor destructor extends implements exports assert
syntax match samlangString /\v"%([^"\\\n]|\\.)*"/
syntax region samlangComment start="/\*" end="\*/"
syntax match samlangComment "\v//[^\n]*"
highlight default link samlangComment Comment
highlight default link samlangString String
highlight default link samlangNumber Number
highlight default link samlangKeyword Keyword
highlight default link samlangOperator Operator
highlight default link samlangType Type
let b:current_syntax = "samlang"
