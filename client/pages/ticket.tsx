/** A ticket as a QR code. */
import { QrCode } from "../shared/qr.tsx";
import { texts } from "../shared/texts.ts";

const words = texts.place;

export const Ticket = ({ code }: { readonly code: string }) => (
  <section class="ticket" aria-labelledby="ticket">
    <h2 id="ticket">{words.ticket}</h2>
    <QrCode text={code} alt={words.ticketAlt} />
    <p>{words.ticketText}</p>
    <details>
      <summary>{words.ticketCode}</summary>
      <code>{code}</code>
    </details>
  </section>
);
