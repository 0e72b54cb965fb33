-- The server for every file of its languages, unless `vim.g.cleave_no_server` is set.
if vim.g.loaded_cleave then return end
vim.g.loaded_cleave = true
if not vim.g.cleave_no_server then require("cleave").setup() end
