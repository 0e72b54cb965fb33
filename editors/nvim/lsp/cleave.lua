-- For Neovim 0.11 and later: vim.lsp.enable("cleave").
return {
  cmd = { "cleave", "lsp" },
  filetypes = { "goopea", "samlang", "cleave-ir", "abc" },
  root_markers = { "sconfig.json", ".git" },
}
