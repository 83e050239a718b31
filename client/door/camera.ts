/** Reads QR codes from the camera. */
import { BarcodeDetector, prepareZXingModule } from "barcode-detector/ponyfill";
import { CodesInView } from "./codes-in-view.ts";

const pause = 60;
/** Of the middle of the picture, in pixels. */
const largestSide = 640;

export interface Camera {
  /** Plays on after the page was hidden. @returns false when the camera is lost, and has to be started again */
  resume(): boolean;
  /** Notes a pause. Who stands there may change meanwhile, so what is in view afterwards is new. */
  pause(): void;
}

export interface CameraOptions {
  /** Whether codes are read at present. */
  readonly isWanted: () => boolean;
  /** Called for each code that comes into view. Returns whether it is taken; if not, it is a new one a moment later. */
  readonly onCode: (code: string) => boolean;
  /** Called after each look, and at a pause. Says whether a code that was taken is still held there. */
  readonly onLook: (isHeld: boolean) => void;
  /** Called when the camera is lost, for example to another app. */
  readonly onEnd: () => void;
}

/**
 * Shows the back camera and reads codes from it. Resolves when it runs.
 * @throws DOMException when the camera is missing or refused
 */
export async function startCamera(
  video: HTMLVideoElement,
  { isWanted, onCode, onLook, onEnd }: CameraOptions,
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
  let inView = new CodesInView(() => performance.now());

  async function look(): Promise<void> {
    const { videoWidth: width, videoHeight: height } = video;
    const side = Math.min(width, height);
    if (!context || side === 0 || !isWanted()) return;
    const size = Math.min(side, largestSide);
    if (context.canvas.width !== size) Object.assign(context.canvas, { width: size, height: size });
    context.drawImage(video, (width - side) / 2, (height - side) / 2, side, side, 0, 0, size, size);
    const before = inView;
    const codes = await detector.detect(context.getImageData(0, 0, size, size));
    // What was read before a pause may be gone.
    if (inView !== before) return;
    const code = inView.look(codes.map(({ rawValue }) => rawValue.trim()).filter(Boolean));
    if (code !== undefined && isWanted() && onCode(code)) inView.take(code);
    onLook(inView.isHeld);
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
    pause() {
      inView = new CodesInView(() => performance.now());
      onLook(false);
    },
  };
}
