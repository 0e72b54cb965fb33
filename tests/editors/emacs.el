;;; emacs.el --- Emacs without a screen opens a program -*- lexical-binding: t -*-
;;; Code:
(defvar faces nil)
(setq inhibit-message t)
(load (expand-file-name "emacs/cleave.el" (getenv "EDITORS")) nil t)
(defun say (&rest words) (princ (concat (mapconcat #'identity words " ") "\n")))
(find-file "sort.goo")
(say "mode" (symbol-name major-mode))
(say "comment" comment-start)
(font-lock-ensure)
(progn
  (goto-char (point-min))
  (while (not (eobp))
    (let ((face (get-text-property (point) 'face)))
      (when (and face (symbolp face)) (add-to-list 'faces face)))
    (forward-char))
  (say "faces" (mapconcat #'symbol-name (sort (seq-remove (lambda (face) (memq face '(font-lock-comment-delimiter-face))) faces) #'string<) " ")))
(goto-char (point-min))
(re-search-forward "^    True:\\|^    Nil:")
(let ((before (current-indentation)))
  (indent-line-to 0)
  (cleave--indent-line)
  (say "indentation" (if (= before (current-indentation)) "kept" (format "%d instead of %d" (current-indentation) before))))
;;; emacs.el ends here
