/** QR codes. */
import { create } from "qrcode";

/** The dark points of the code as a path, a row at a time. */
function pathOf(text: string): { readonly size: number; readonly path: string } {
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules;
  const runs: string[] = [];
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!data[row * size + column]) continue;
      const first = column;
      while (column < size && data[row * size + column]) column += 1;
      runs.push(`M${first} ${row}h${column - first}v1h${first - column}z`);
    }
  }
  return { size, path: runs.join("") };
}

/** Points around the code that stay light, for scanners. */
const quiet = 4;

/** @param alt what the code is, for those who do not see it */
export function QrCode({ text, alt }: { readonly text: string; readonly alt: string }) {
  const { size, path } = pathOf(text);
  return (
    <svg
      viewBox={`${-quiet} ${-quiet} ${size + 2 * quiet} ${size + 2 * quiet}`}
      role="img"
      aria-label={alt}
      shape-rendering="crispEdges"
    >
      <rect x={-quiet} y={-quiet} width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
