/** A ticket code as a picture. */
import { toBuffer } from "qrcode";

/** Pixels; the mail shows it at half that size, sharp on phones. */
const width = 480;

/** A PNG with the quiet zone that scanners want. Error correction for a scratched or dimmed screen. */
export const qrPng = (ticketCode: string): Promise<Buffer> =>
  toBuffer(ticketCode, { type: "png", errorCorrectionLevel: "M", margin: 4, width });
