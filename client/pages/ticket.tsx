/** A ticket as a QR code. */
import { create } from "qrcode";
import { texts } from "../shared/texts.ts";

const words = texts.place;

/** The dark points of the code as a path, a row at a time. */
function pathOf(code: string): { readonly size: number; readonly path: string } {
  const { size, data } = create(code, { errorCorrectionLevel: "M" }).modules;
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

export function Ticket({ code }: { readonly code: string }) {
  const { size, path } = pathOf(code);
  return (
    <section class="ticket" aria-labelledby="ticket">
      <h2 id="ticket">{words.ticket}</h2>
      <svg
        viewBox={`${-quiet} ${-quiet} ${size + 2 * quiet} ${size + 2 * quiet}`}
        role="img"
        aria-label={words.ticketAlt}
        shape-rendering="crispEdges"
      >
        <rect x={-quiet} y={-quiet} width="100%" height="100%" fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p>{words.ticketText}</p>
      <details>
        <summary>{words.ticketCode}</summary>
        <code>{code}</code>
      </details>
    </section>
  );
}
