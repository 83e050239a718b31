/** A ticket code as a picture. */
import { toBuffer } from "qrcode";

/** Pixels of one module, a whole number so that all are equally wide. About 400 pixels a picture, sharp on phones. */
const scale = 10;

/** A PNG with the quiet zone that scanners want. Error correction for a scratched or dimmed screen. */
export const qrPng = (ticketCode: string): Promise<Buffer> =>
  toBuffer(ticketCode, { type: "png", errorCorrectionLevel: "M", margin: 4, scale });
