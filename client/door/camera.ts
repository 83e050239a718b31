/** Reads QR codes from the camera. */
import { BarcodeDetector, prepareZXingModule } from "barcode-detector/ponyfill";
import { Repeats } from "./repeats.ts";

const pause = 60;
/** Of the middle of the picture, in pixels. */
const largestSide = 640;

export interface Camera {
  /** Plays on after the page was hidden. @returns false when the camera is lost, and has to be started again */
  resume(): boolean;
}

export interface CameraOptions {
  /** Whether codes are read at present. */
  readonly isWanted: () => boolean;
  /** Called for each code that comes into view. Returns whether it is taken; if not, it is a new one a moment later. */
  readonly onCode: (code: string) => boolean;
  /** Called whenever a code is seen that was taken and is still held there. */
  readonly onHeld: () => void;
  /** Called when the camera is lost, for example to another app. */
  readonly onEnd: () => void;
}

/**
 * Shows the back camera and reads codes from it. Resolves when it runs.
 * @throws DOMException when the camera is missing or refused
 */
export async function startCamera(
  video: HTMLVideoElement,
  { isWanted, onCode, onHeld, onEnd }: CameraOptions,
): Promise<Camera> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  const [track] = stream.getVideoTracks() as [MediaStreamTrack];
  track.onended = onEnd;
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
    if (code === undefined || others.length > 0) return;
    if (!repeats.isNew(code)) onHeld();
    else if (!isWanted() || !onCode(code)) repeats.forget(code);
  }
  const loop = (): void => {
    if (track.readyState === "live") void look().finally(() => setTimeout(loop, pause));
  };
  loop();
  return {
    resume() {
      const isLive = track.readyState === "live" && !track.muted;
      if (isLive) void video.play().catch(() => undefined);
      else track.stop();
      return isLive;
    },
  };
}
