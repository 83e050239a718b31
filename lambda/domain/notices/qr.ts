/** Draws a ticket code as a QR code. */
import { toBuffer } from "qrcode";

/** Pixels of one module. A whole number makes all modules equally wide. The picture has about 400 pixels a side. */
const scale = 9;

/**
 * Each line is stored as it is: the tries of all five filters for each line take more time than all the rest, and save
 * only 4.5 kB.
 */
const rendererOpts = { filterType: 0, deflateLevel: 6, deflateStrategy: 0 };

/** A PNG with the margin that scanners need, and with error correction for a scratched or dark screen. */
export const qrPng = (ticketCode: string): Promise<Buffer> =>
  toBuffer(ticketCode, { type: "png", errorCorrectionLevel: "M", margin: 4, scale, rendererOpts });
