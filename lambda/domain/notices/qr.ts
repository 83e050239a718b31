/** Renders a ticket code as a QR code. */
import { toBuffer } from "qrcode";

/** Pixels per module. The image is about 400 pixels wide. */
const scale = 9;

/** No PNG filters: trying all five for each line takes longer than everything else, and saves only 4.5 kB. */
const rendererOpts = { filterType: 0, deflateLevel: 6, deflateStrategy: 0 };

/** A PNG with the margin that scanners need, and error correction for scratched or dark screens. */
export const qrPng = (ticketCode: string): Promise<Buffer> =>
  toBuffer(ticketCode, { type: "png", errorCorrectionLevel: "M", margin: 4, scale, rendererOpts });
