//! The modes of Emacs.

use super::languages::{ABC, CLEAN, GOOPEA, IR, Kind, Language, Pattern, SAMLANG};

/// Keywords of a language as a list of Lisp.
fn keywords(language: &Language) -> String {
    let mut words = Vec::new();
    for rule in language.rules {
        if let (Kind::Keyword, Pattern::Words(list)) = (rule.kind, &rule.pattern) {
            words.extend(list.iter().map(|word| format!("\"{word}\"")));
        }
    }
    let mut lines = vec![String::from("    '(")];
    for word in words {
        let last = lines.last_mut().expect("there is a line");
        if last.len() + word.len() > 100 {
            lines.push(format!("      {word}"));
        } else {
            *last += if last.ends_with('(') { "" } else { " " };
            *last += &word;
        }
    }
    lines.join("\n") + ")"
}

/// The file `cleave.el`.
pub fn file() -> String {
    let mut text = String::from(BEGIN);
    for language in [&GOOPEA, &SAMLANG, &CLEAN] {
        let comment = match language.block_comment {
            true => "  (modify-syntax-entry ?/ \". 124b\") (modify-syntax-entry ?* \". 23\")",
            false => "  (modify-syntax-entry ?/ \". 12b\")",
        };
        text += &format!(
            "\n(define-derived-mode {id}-mode prog-mode \"{title}\"\n  \"Programs of {title}.\"\n  :syntax-table (cleave--syntax)\n\
             {comment}\n  (modify-syntax-entry ?\\n \"> b\")\n  (setq-local comment-start \"// \" comment-end \"\")\n  \
             (cleave--indent {indent})\n  (cleave--colour\n{words}\n    '((\"\\\\_<_*[A-Z]\\\\(?:\\\\sw\\\\|\\\\s_\\\\)*\" . font-lock-type-face)\n      \
             (\"\\\\_<[0-9]+\\\\_>\" . font-lock-constant-face){more})))\n",
            id = language.id,
            title = language.title,
            indent = language.indent,
            words = keywords(language),
            more =
                if language.id == "goopea" { "\n      (\"^[ \\t]*#.*\" 0 font-lock-preprocessor-face t)" } else { "" },
        );
    }
    text += LISTINGS;
    text += "\n;;;###autoload\n(progn\n";
    for language in [&GOOPEA, &SAMLANG, &CLEAN, &IR, &ABC] {
        for ending in language.endings {
            text += &format!("  (add-to-list 'auto-mode-alist '(\"\\\\.{ending}\\\\'\" . {}-mode))\n", language.id);
        }
    }
    text.pop();
    text + ")\n" + END
}

const BEGIN: &str = r#";;; cleave.el --- Languages of Cleave -*- lexical-binding: t -*-

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
"#;

const LISTINGS: &str = r#"
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
"#;

const END: &str = r#"
(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((goopea-mode samlang-mode cleave-ir-mode abc-mode) . ("cleave" "lsp"))))

(provide 'cleave)
;;; cleave.el ends here
"#;
