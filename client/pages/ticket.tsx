/** A ticket as a QR code. */
import { QrCode } from "../shared/qr.tsx";
import { texts } from "../shared/texts.ts";

const words = texts.place;

interface TicketProps {
  readonly code: string;
  readonly id?: string;
  readonly title?: string;
}

export const Ticket = ({ code, id = "ticket", title = words.ticket }: TicketProps) => (
  <section class="ticket" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <QrCode text={code} alt={words.ticketAlt} />
    <p>{words.ticketText}</p>
    <details>
      <summary>{words.ticketCode}</summary>
      <code>{code}</code>
    </details>
  </section>
);
