-- Neovim without a screen, with the plug-in of `editors/nvim`: the kind of a file, its comments and colours, and what the
-- server says of another.
local function say(...) io.stdout:write(table.concat({ ... }, " "), "\n") end
local ok, message = pcall(function()
  vim.opt.runtimepath:prepend(vim.env.EDITORS .. "/nvim")
  vim.cmd("filetype plugin on")
  vim.cmd("syntax on")
  vim.cmd("runtime plugin/cleave.lua")
  vim.cmd("edit sort.goo")
  say("filetype", vim.bo.filetype)
  say("commentstring", vim.bo.commentstring)
  local seen, names = {}, {}
  for line = 1, vim.api.nvim_buf_line_count(0) do
    for column = 1, #vim.fn.getline(line) do
      local name = vim.fn.synIDattr(vim.fn.synID(line, column, 1), "name")
      if name ~= "" and name ~= "goopeaIdentifier" and name ~= "goopeaOperator" and not seen[name] then
        seen[name] = true
        table.insert(names, name)
      end
    end
  end
  table.sort(names)
  say("colours", table.concat(names, " "))
  vim.cmd("edit wrong.goo")
  local buffer = vim.api.nvim_get_current_buf()
  if not vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 20) then error("no errors") end
  for _, found in ipairs(vim.diagnostic.get(buffer)) do
    say("error", found.lnum .. ":" .. found.col, found.message)
  end
end)
if not ok then say(message) end
io.stdout:flush()
vim.cmd(ok and "0cquit" or "1cquit")
