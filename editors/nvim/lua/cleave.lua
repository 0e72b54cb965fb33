-- Starts `cleave lsp` for a buffer. Neovim 0.11 does it by itself (`lsp/cleave.lua`), older ones (from 0.7 on) here.
local M = {}

-- The folder of the project: where it is kept, or else that of the file. Modules above it are found all the same.
local function root(name)
  local folder = vim.fn.fnamemodify(name, ":p:h")
  local above = folder
  while true do
    for _, mark in ipairs({ "sconfig.json", ".git" }) do
      if vim.loop.fs_stat(above .. "/" .. mark) then return above end
    end
    local parent = vim.fn.fnamemodify(above, ":h")
    if parent == above then return folder end
    above = parent
  end
end

local clients = {}

function M.start(buffer)
  local folder = root(vim.api.nvim_buf_get_name(buffer))
  local id = clients[folder]
  if not (id and vim.lsp.get_client_by_id(id)) then
    id = vim.lsp.start_client({ name = "cleave", cmd = M.cmd or { "cleave", "lsp" }, root_dir = folder })
    clients[folder] = id
  end
  if id then vim.lsp.buf_attach_client(buffer, id) end
end

function M.setup(options)
  M.cmd = options and options.cmd
  if vim.lsp.enable then
    if M.cmd then vim.lsp.config("cleave", { cmd = M.cmd }) end
    vim.lsp.enable("cleave")
    return
  end
  vim.api.nvim_create_autocmd("FileType", {
    pattern = { "goopea", "samlang", "cleave-ir", "abc" },
    callback = function(event) M.start(event.buf) end,
  })
end

return M
