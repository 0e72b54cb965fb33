;;; cleave.el --- Languages of Cleave -*- lexical-binding: t -*-

;; Made from tests/editors/languages.rs: BLESS=1 cargo test -p cleave-tests --test editors
;; Package-Requires: ((emacs "27.1"))

;;; Commentary:
;; Modes for GOOPEA, samlang, the IR of Cleave, ABC and Clean, and `cleave lsp' for eglot.

;;; Code:

(defun cleave--syntax ()
  "A table of syntax in which names have underlines."
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    table))

(defun cleave--colour (keywords more)
  "Colour KEYWORDS, and what the rules MORE find."
  (setq-local font-lock-defaults
              (list (cons (cons (regexp-opt keywords 'symbols) 'font-lock-keyword-face) more))))

(defvar-local cleave--step 2 "Columns of indentation.")

(defun cleave--indent-line ()
  "Indent a line by the brackets that are open before it."
  (interactive)
  (let* ((depth (car (save-excursion (syntax-ppss (line-beginning-position)))))
         (closes (save-excursion (back-to-indentation) (looking-at-p "[])}]")))
         (column (* cleave--step (max 0 (if closes (1- depth) depth)))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

(defun cleave--indent (step)
  "Indent by STEP columns for each bracket."
  (setq-local indent-tabs-mode nil)
  (setq cleave--step step)
  (setq-local indent-line-function #'cleave--indent-line))

(define-derived-mode goopea-mode prog-mode "GOOPEA"
  "Programs of GOOPEA."
  :syntax-table (cleave--syntax)
  (modify-syntax-entry ?/ ". 12b")
  (modify-syntax-entry ?\n "> b")
  (setq-local comment-start "// " comment-end "")
  (cleave--indent 4)
  (cleave--colour
    '("fip" "match" "enum" "let" "in")
    '(("\\_<_*[A-Z]\\(?:\\sw\\|\\s_\\)*" . font-lock-type-face)
      ("\\_<[0-9]+\\_>" . font-lock-constant-face)
      ("^[ \t]*#.*" 0 font-lock-preprocessor-face t))))

(define-derived-mode samlang-mode prog-mode "samlang"
  "Programs of samlang."
  :syntax-table (cleave--syntax)
  (modify-syntax-entry ?/ ". 124b") (modify-syntax-entry ?* ". 23")
  (modify-syntax-entry ?\n "> b")
  (setq-local comment-start "// " comment-end "")
  (cleave--indent 2)
  (cleave--colour
    '("import" "from" "class" "interface" "val" "function" "method" "as" "private" "protected"
      "internal" "public" "if" "then" "else" "match" "return" "int" "bool" "unit" "true" "false"
      "this" "self" "const" "string" "let" "var" "type" "constructor" "destructor" "extends"
      "implements" "exports" "assert")
    '(("\\_<_*[A-Z]\\(?:\\sw\\|\\s_\\)*" . font-lock-type-face)
      ("\\_<[0-9]+\\_>" . font-lock-constant-face))))

(define-derived-mode clean-mode prog-mode "Clean"
  "Programs of Clean."
  :syntax-table (cleave--syntax)
  (modify-syntax-entry ?/ ". 124b") (modify-syntax-entry ?* ". 23")
  (modify-syntax-entry ?\n "> b")
  (setq-local comment-start "// " comment-end "")
  (cleave--indent 4)
  (cleave--colour
    '("module" "definition" "implementation" "system" "import" "from" "qualified" "as" "where" "with"
      "let" "in" "case" "of" "if" "otherwise" "class" "instance" "derive" "generic" "infix" "infixl"
      "infixr" "special" "export" "foreign" "dynamic" "code" "inline")
    '(("\\_<_*[A-Z]\\(?:\\sw\\|\\s_\\)*" . font-lock-type-face)
      ("\\_<[0-9]+\\_>" . font-lock-constant-face))))

(define-derived-mode cleave-ir-mode prog-mode "IR"
  "The IR of Cleave in its text form."
  :syntax-table (cleave--syntax)
  (modify-syntax-entry ?\; "<") (modify-syntax-entry ?\n ">") (modify-syntax-entry ?. "_")
  (setq-local comment-start "; " comment-end "")
  (cleave--indent 2)
  (setq-local font-lock-defaults
              '((("@\\(?:\\sw\\|\\s_\\)+" . font-lock-function-name-face)
                 ("\\$\\(?:\\sw\\|\\s_\\)+\\|\\_<\\(?:ref\\|i32\\|i64\\|f64\\)\\_>" . font-lock-type-face)
                 ("[&^%]\\(?:\\sw\\|\\s_\\)+" . font-lock-variable-name-face)
                 ("\\_<block[0-9]+\\_>" . font-lock-constant-face)
                 ("\\_<\\(?:v\\|s\\|static\\)[0-9]+\\_>" . font-lock-variable-name-face)
                 ("\\_<[a-zA-Z_]\\(?:\\sw\\|\\s_\\)*\\_>" . font-lock-keyword-face)))))

(define-derived-mode abc-mode prog-mode "ABC"
  "The ABC code of Clean."
  (setq-local comment-start "| " comment-end "")
  (setq-local font-lock-defaults
              '((("\\(?:^\\|[ \t]\\)\\(|.*\\)$" 1 font-lock-comment-face)
                 ("^\\.[^ \t\n]*" . font-lock-preprocessor-face)
                 ("^[^. \t\n|][^ \t\n]*" . font-lock-function-name-face)
                 ("^[ \t]+\\([^ \t\n|][^ \t\n]*\\)" 1 font-lock-keyword-face)
                 ("[ \t]\\(\"\\(?:[^\"\\\n]\\|\\\\.\\)*\"\\)" 1 font-lock-string-face))
                t)))

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.goo\\'" . goopea-mode))
  (add-to-list 'auto-mode-alist '("\\.sam\\'" . samlang-mode))
  (add-to-list 'auto-mode-alist '("\\.icl\\'" . clean-mode))
  (add-to-list 'auto-mode-alist '("\\.dcl\\'" . clean-mode))
  (add-to-list 'auto-mode-alist '("\\.ir\\'" . cleave-ir-mode))
  (add-to-list 'auto-mode-alist '("\\.abc\\'" . abc-mode)))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((goopea-mode samlang-mode cleave-ir-mode abc-mode) . ("cleave" "lsp"))))

(provide 'cleave)
;;; cleave.el ends here
