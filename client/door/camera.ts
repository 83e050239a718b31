/** Reads QR codes from the camera. */
import { BarcodeDetector, prepareZXingModule } from "barcode-detector/ponyfill";
import { Repeats } from "./repeats.ts";

const pause = 60;
/** Of the middle of the picture, in pixels. */
const largestSide = 640;

/**
 * Shows the back camera and calls `onCode` for each code that comes into view. Resolves when the camera runs.
 * @param isWanted whether codes are read at present
 * @param onCode returns whether it takes the code; otherwise it is called again while the code stays in view
 * @throws DOMException when the camera is missing or refused
 */
export async function startCamera(video: HTMLVideoElement, isWanted: () => boolean, onCode: (code: string) => boolean) {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  video.srcObject = stream;
  await video.play();
  await prepareZXingModule({ overrides: { locateFile: (file: string) => file }, fireImmediately: true });
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const repeats = new Repeats(() => performance.now());

  async function look(): Promise<void> {
    const { videoWidth: width, videoHeight: height } = video;
    const side = Math.min(width, height);
    if (!context || side === 0 || !isWanted()) return;
    const size = Math.min(side, largestSide);
    if (context.canvas.width !== size) Object.assign(context.canvas, { width: size, height: size });
    context.drawImage(video, (width - side) / 2, (height - side) / 2, side, side, 0, 0, size, size);
    const codes = await detector.detect(context.getImageData(0, 0, size, size));
    // With several codes in view it is not clear which one is held there.
    const [code, ...others] = codes.map(({ rawValue }) => rawValue.trim()).filter(Boolean);
    if (code === undefined || others.length > 0 || !repeats.isNew(code)) return;
    if (!isWanted() || !onCode(code)) repeats.forget(code);
  }
  const loop = (): void => void look().finally(() => setTimeout(loop, pause));
  loop();
}
