/** An event's banner: a picture of the device, cut to size and uploaded. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { call } from "../../shared/call.ts";
import { Frame, tied } from "../../shared/field.tsx";
import { Banner, Button, Press, Said, useAct } from "../../shared/parts.tsx";
import { change } from "../calls.ts";
import type { SchemaForm } from "../schema-form.tsx";
import { bannerRatio, type Crop, cutOf, refuse } from "./rules.ts";

/** Bytes; the service removes larger ones. */
const largest = 10_000_000;
/** Pixels across; the pages show no larger banner. */
const widest = 1600;
/** Milliseconds for an upload on a slow network. */
const longestUpload = 120_000;

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const { left, top, width, height } = cutOf(picture, crop);
  canvas.getContext("2d")?.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
}

/** The part that the pages show, as WebP where the browser can make it. */
async function cutFile(picture: ImageBitmap, crop: Crop): Promise<Blob> {
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

type UploadUrl = components["schemas"]["UploadUrl"];

/** @returns the public address @throws as `fetched` */
async function upload(body: Blob, prefix: "original" | "optimized", eventId: string): Promise<string> {
  const { type } = body;
  const asked = { fileType: type, fileName: `banner.${type.replace("image/", "")}`, prefix, eventId };
  const { uploadUrl, publicUrl } = await change<UploadUrl>("POST", "/events/event-image-upload-url", asked);
  const signal = AbortSignal.timeout(longestUpload);
  await call(fetch, uploadUrl, { method: "PUT", body, headers: { "content-type": type }, signal });
  return publicUrl;
}

const sliders = [["zoom", "Zoom"] as const, ["x", "Left or right"] as const, ["y", "Up or down"] as const];

const middle: Crop = { x: 0.5, y: 0.5, zoom: 1 };

export function BannerField({ form, eventId }: { readonly form: SchemaForm; readonly eventId: string }) {
  const [chosen, setChosen] = useState<{ readonly file: File; readonly picture: ImageBitmap }>();
  const [crop, setCrop] = useState(middle);
  const act = useAct();
  const url = String(form.entries.imageUrl ?? "");
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current && chosen) draw(canvas.current, chosen.picture, crop);
  }, [chosen, crop]);
  const choose = async (file: File) => {
    if (file.size > largest) throw refuse("This picture is larger than 10 MB. Save a smaller one first.");
    const picture = file.type.includes("xml") ? undefined : await createImageBitmap(file).catch(() => undefined);
    if (!picture) throw refuse("This file cannot be used as a picture. Choose a JPEG, PNG or WebP.");
    setChosen({ file, picture });
    setCrop(middle);
  };
  const use = async ({ file, picture }: NonNullable<typeof chosen>) => {
    const cut = await cutFile(picture, crop);
    act.say("Uploading the picture: 1 of 2 …");
    await upload(file, "original", eventId);
    act.say("Uploading the banner: 2 of 2 …");
    form.set(["imageUrl"], await upload(cut, "optimized", eventId));
    setChosen(undefined);
    return "The banner is uploaded; the event has it once you save. It may take some seconds to be shown.";
  };
  const frame = { id: "/imageUrl", label: "Banner", required: false, problem: form.problems["/imageUrl"] };
  return (
    <Frame {...frame} hint="A JPEG, PNG or WebP of at most 10 MB. You choose the part that is shown.">
      <input
        {...{ ...tied(frame), type: "file", accept: "image/*" }}
        onChange={({ currentTarget: { files } }) => files?.[0] && void act.run(() => choose(files[0] as File))}
      />
      {chosen && (
        <>
          <canvas ref={canvas} {...{ class: "cutter", width: 880, height: 400, role: "img" }} aria-label="The banner" />
          {sliders.map(([name, text]) => (
            <label class="slider" key={name}>
              {text}
              <input
                {...{
                  type: "range",
                  min: name === "zoom" ? 1 : 0,
                  max: name === "zoom" ? 4 : 1,
                  step: 0.01,
                  value: crop[name],
                }}
                onInput={({ currentTarget: { value } }) => setCrop((kept) => ({ ...kept, [name]: Number(value) }))}
              />
            </label>
          ))}
          <div class="buttons">
            <Button {...{ act, text: "Upload this banner", onPress: () => act.run(() => use(chosen)) }} />
            <Press text="Not this one" onPress={() => setChosen(undefined)} />
          </div>
        </>
      )}
      {!chosen && url && (
        <>
          <Banner key={url} url={url} />
          <Press text="Remove the banner" onPress={() => form.set(["imageUrl"], "")} />
        </>
      )}
      <Said {...act} />
    </Frame>
  );
}
