// Light, dark, or as the system. A plain script in the head, so that a page never flashes.
(() => {
  const themes = ["auto", "light", "dark"];
  const read = () => {
    try {
      return themes.includes(localStorage.theme) ? localStorage.theme : "auto";
    } catch {
      return "auto";
    }
  };
  let theme = read();
  const show = () => {
    document.documentElement.dataset.theme = theme;
    const button = document.getElementById("theme");
    if (button) button.textContent = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" }[theme];
    if (button) button.setAttribute("aria-label", `Theme: ${theme}`);
  };
  show();
  addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      try {
        localStorage.theme = theme;
      } catch {
        // Without storage the choice lasts as long as the page.
      }
      show();
    });
  });
})();
