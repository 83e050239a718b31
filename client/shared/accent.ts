import { accentsOf } from "./colours.ts";

/** Sets the club's colour, as the stylesheet's property. */
export function applyAccent(accent = ""): void {
  const accents = accentsOf(accent);
  if (!accents) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { --accent: light-dark(${accents.day}, ${accents.night}); }`);
  document.adoptedStyleSheets = [sheet];
}
