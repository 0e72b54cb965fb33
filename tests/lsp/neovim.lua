-- Neovim without a screen opens `Main.sam` and asks the server everything:
-- nvim --headless -u NONE -c "luafile neovim.lua"; CLEAVE names the compiler.
local function say(...) io.stdout:write(table.concat({ ... }, " "), "\n") end
local function finish(status) io.stdout:flush(); vim.cmd(status .. "cquit") end
local ok, message = pcall(function()
  vim.cmd("edit Main.sam")
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.start_client({ name = "cleave", cmd = { vim.env.CLEAVE, "lsp" }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(buffer, client)
  local function wait(what, is_there)
    if not vim.wait(60000, is_there, 20) then error("no " .. what) end
  end
  wait("errors", function() return #vim.diagnostic.get(buffer) > 0 end)
  for _, found in ipairs(vim.diagnostic.get(buffer)) do
    say("error", found.lnum .. ":" .. found.col, found.message)
  end
  local function ask(method, line, column)
    local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
    if line then params.position = { line = line, character = column } end
    if method == "textDocument/formatting" then params.options = { tabSize = 2, insertSpaces = true } end
    local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, 60000)
    if not answers then error(method .. ": " .. problem) end
    return answers[client].result
  end
  say("hover", (ask("textDocument/hover", 3, 9).contents.value:gsub("\n", " ")))
  local place = ask("textDocument/definition", 4, 48)
  say("definition", vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ":t"), place.range.start.line > 0 and "inside" or "")
  say("completion", #ask("textDocument/completion", 3, 23) > 5 and "many" or "few")
  -- The error goes away, and so does the message.
  vim.api.nvim_buf_set_lines(buffer, 5, 6, false, {})
  wait("end of errors", function() return #vim.diagnostic.get(buffer) == 0 end)
  vim.lsp.util.apply_text_edits(ask("textDocument/formatting"), buffer, "utf-16")
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do say("|" .. line) end
end)
if not ok then say(message) end
finish(ok and 0 or 1)
