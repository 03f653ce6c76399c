// The theme that was chosen in this browser, set before anything is painted.

(() => {
  try {
    const theme = localStorage.getItem("listing-explorer-theme");
    if (theme === "light" || theme === "dark") {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // Then the system's theme it is.
  }
})();
