/** An event's banner: a picture of the device, cut to size and uploaded. */
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../shared/call.ts";
import { Banner, Button, Press, Said, useAct } from "../../shared/parts.tsx";
import { change } from "../calls.ts";
import type { SchemaForm } from "../schema-form.tsx";
import { bannerRatio, type Crop, cutOf, moved, refuse } from "./rules.ts";

/** Bytes; the service removes larger ones. */
const largest = 10_000_000;
/** Pixels across; the pages show no larger banner. */
const widest = 1600;
/** Milliseconds for an upload on a slow network. */
const longestUpload = 120_000;

interface Chosen {
  readonly file: File;
  readonly picture: ImageBitmap;
}

/** @throws Refused the file is no picture that can be used */
async function open(file: File): Promise<Chosen> {
  if (file.size > largest) throw refuse("This picture is larger than 10 MB. Save a smaller one first.");
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture || file.type.includes("xml"))
    throw refuse("This file cannot be used as a picture here. Choose a JPEG, PNG or WebP.");
  return { file, picture };
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const { left, top, width, height } = cutOf(picture, crop);
  canvas.getContext("2d")?.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
}

/** The part that the pages show, as WebP where the browser can make it. */
async function cutFile({ picture }: Chosen, crop: Crop): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(Math.min(widest, cutOf(picture, crop).width));
  canvas.height = Math.round(canvas.width / bannerRatio);
  draw(canvas, picture, crop);
  const made = (type: string) => new Promise<Blob | null>((done) => canvas.toBlob(done, type, 0.85));
  const webp = await made("image/webp");
  const cut = webp?.type === "image/webp" ? webp : await made("image/jpeg");
  if (!cut) throw refuse("This browser cannot cut the picture.");
  return cut;
}

/** @returns the public address @throws as `fetched` */
async function upload(file: Blob, prefix: "original" | "optimized", eventId: string): Promise<string> {
  const fileName = `banner.${file.type.replace("image/", "")}`;
  const asked = { fileType: file.type, fileName, prefix, eventId };
  const { uploadUrl, publicUrl } = await change<{ readonly uploadUrl: string; readonly publicUrl: string }>(
    "POST",
    "/events/event-image-upload-url",
    asked,
  );
  const signal = AbortSignal.timeout(longestUpload);
  await call(fetch, uploadUrl, { method: "PUT", body: file, headers: { "content-type": file.type }, signal });
  return publicUrl;
}

const sliders = [
  ["zoom", "Zoom", 1, 4],
  ["x", "Left or right", 0, 1],
  ["y", "Up or down", 0, 1],
] as const;

interface CutterProps {
  readonly picture: ImageBitmap;
  readonly crop: Crop;
  set(crop: Crop): void;
}

/** Chooses the part of a picture: with the pointer, or with sliders. */
function Cutter({ picture, crop, set }: CutterProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) draw(canvas.current, picture, crop);
  }, [picture, crop]);
  const drag = (event: PointerEvent) => {
    const width = canvas.current?.clientWidth ?? 1;
    if (event.buttons > 0) set(moved(picture, crop, { x: event.movementX / width, y: event.movementY / width }));
  };
  return (
    <>
      <canvas
        ref={canvas}
        class="cutter"
        width={880}
        height={880 / bannerRatio}
        role="img"
        aria-label="What the banner will show"
        onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
        onPointerMove={drag}
      />
      <div class="columns">
        {sliders.map(([name, text, min, max]) => (
          <label class="slider" key={name}>
            {text}
            <input
              {...{ type: "range", min, max, step: 0.01, value: crop[name] }}
              onInput={({ currentTarget }) => set({ ...crop, [name]: Number(currentTarget.value) })}
            />
          </label>
        ))}
      </div>
    </>
  );
}

const middle: Crop = { x: 0.5, y: 0.5, zoom: 1 };

interface BannerFieldProps {
  readonly form: SchemaForm;
  readonly eventId: string;
}

export function BannerField({ form, eventId }: BannerFieldProps) {
  const [chosen, setChosen] = useState<Chosen>();
  const [crop, setCrop] = useState(middle);
  /** The pages have an upload only some seconds later. */
  const [own, setOwn] = useState<{ readonly url: string; readonly shown: string }>();
  const act = useAct();
  const url = typeof form.entries.imageUrl === "string" ? form.entries.imageUrl : "";
  const choose = (file: File | undefined) =>
    file &&
    act.run(async () => {
      setChosen(await open(file));
      setCrop(middle);
    });
  const use = async (one: Chosen) => {
    const cut = await cutFile(one, crop);
    act.say("Uploading the picture: 1 of 2 …");
    await upload(one.file, "original", eventId);
    act.say("Uploading the banner: 2 of 2 …");
    const address = await upload(cut, "optimized", eventId);
    form.set(["imageUrl"], address);
    setOwn({ url: address, shown: URL.createObjectURL(cut) });
    setChosen(undefined);
    return "The banner is uploaded. It is shown once you save the event.";
  };
  return (
    <div class="field" data-field="/imageUrl">
      <label for="/imageUrl">Banner</label>
      <span class="hint">
        A JPEG, PNG or WebP of at most 10 MB, best {widest} pixels wide. You choose the part to show.
      </span>
      <input
        id="/imageUrl"
        type="file"
        accept="image/*"
        onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
      />
      {chosen ? (
        <>
          <Cutter picture={chosen.picture} crop={crop} set={setCrop} />
          <div class="buttons">
            <Button {...{ act, text: "Upload this banner", onPress: () => act.run(() => use(chosen)) }} />
            <Press text="Choose none" onPress={() => setChosen(undefined)} />
          </div>
        </>
      ) : (
        url && (
          <>
            <Banner key={url} url={own?.url === url ? own.shown : url} />
            <div class="buttons">
              <Press text="Remove the banner" onPress={() => form.set(["imageUrl"], "")} />
            </div>
          </>
        )
      )}
      <Said {...act} />
      <span class="problem" role="alert">
        {form.problems["/imageUrl"]}
      </span>
    </div>
  );
}
