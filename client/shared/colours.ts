/** The club's colour, with enough contrast by day and by night (WCAG 2.2, 1.4.3). Pure. */

type Rgb = readonly number[];

function rgbOf(colour: string): Rgb | undefined {
  const whole = colour.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  return /^#[\da-f]{6}$/i.test(whole) ? [1, 3, 5].map((at) => Number.parseInt(whole.slice(at, at + 2), 16)) : undefined;
}

const textOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

const weights = [0.2126, 0.7152, 0.0722];
/** Relative luminance. */
const luminance = (rgb: Rgb): number =>
  rgb
    .map((part) => part / 255)
    .map((share) => (share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
    .reduce((sum, share, index) => sum + share * (weights[index] ?? 0), 0);

/** From 1 to 21. */
export function contrast(one: string, two: string): number {
  const [dark = 0, light = 0] = [one, two].map((colour) => luminance(rgbOf(colour) ?? [])).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** More than the 4.5 that are needed, because the colour also stands on softly coloured ground. */
const enough = 5.5;

/** Moves a colour towards another one until it can be read on a ground. */
function readable(colour: Rgb, ground: string, towards: number): string {
  const steps = Array.from({ length: 21 }, (_, step) =>
    textOf(colour.map((part) => part + ((towards - part) * step) / 20)),
  );
  return steps.find((mixed) => contrast(mixed, ground) >= enough) ?? "";
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
  return rgb && { day: readable(rgb, grounds.day, 0), night: readable(rgb, grounds.night, 255) };
}
