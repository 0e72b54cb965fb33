autocmd BufRead,BufNewFile *.goo setfiletype goopea
autocmd BufRead,BufNewFile *.sam setfiletype samlang
autocmd BufRead,BufNewFile *.ir setfiletype cleave-ir
autocmd BufRead,BufNewFile *.abc set filetype=abc
autocmd BufRead,BufNewFile *.icl,*.dcl set filetype=clean
