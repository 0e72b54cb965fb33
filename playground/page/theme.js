// Before anything is drawn: the theme that was chosen last.
try {
  const theme = localStorage.getItem("cleave.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the theme is that of the system.
}
