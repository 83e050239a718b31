/** The club's colour, with enough contrast by day and by night (WCAG 2.2, 1.4.3). Pure. */

type Rgb = readonly [number, number, number];

const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i;

function rgbOf(colour: string): Rgb | undefined {
  const [, ...parts] = hex.exec(colour.length === 4 ? colour.replaceAll(/([\da-f])/gi, "$1$1") : colour) ?? [];
  return parts.length === 3 ? (parts.map((part) => Number.parseInt(part, 16)) as unknown as Rgb) : undefined;
}

const textOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. */
export function contrast(one: string, two: string): number {
  const lights = [one, two].map((colour) => luminance(rgbOf(colour) ?? [0, 0, 0])).sort((a, b) => a - b);
  return ((lights[1] ?? 0) + 0.05) / ((lights[0] ?? 0) + 0.05);
}

/** More than the 4.5 that are needed, because the colour also stands on softly coloured ground. */
const enough = 5.5;

/** Moves a colour towards another one until it can be read on a ground. */
function readable(colour: Rgb, ground: string, towards: Rgb): string {
  for (let step = 0; step < 20; step += 1) {
    const mixed = textOf(
      colour.map((part, index) => part + (((towards[index] ?? 0) - part) * step) / 20) as unknown as Rgb,
    );
    if (contrast(mixed, ground) >= enough) return mixed;
  }
  return textOf(towards);
}

/** The pages' grounds, as in `pages.css`. */
const grounds = { day: "#ffffff", night: "#14161a" };

export interface Accents {
  readonly day: string;
  readonly night: string;
}

/** The colour by day and by night; undefined for what is no colour in hexadecimal digits. */
export function accentsOf(accent: string): Accents | undefined {
  const rgb = rgbOf(accent);
  return rgb && { day: readable(rgb, grounds.day, [0, 0, 0]), night: readable(rgb, grounds.night, [255, 255, 255]) };
}
