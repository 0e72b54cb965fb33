// Shows what the text is as HTML, at each key. The parser escapes all that is not markup; links to scripts are text.
import { html } from "./markdown.mjs";

const source = document.querySelector("#source");
const result = document.querySelector("#result");
const show = () => {
  result.innerHTML = html(source.value);
};
source.addEventListener("input", show);
show();
