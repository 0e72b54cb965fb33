" Made from tests/editors/languages.rs
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=//\ %s comments=://
setlocal shiftwidth=4 softtabstop=4 expandtab autoindent smartindent
