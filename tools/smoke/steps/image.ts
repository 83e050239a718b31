/** A banner: the upload, and its public URL. */
import { answered, fetched } from "../step-kit/api.ts";
import { asAdmin, type Step } from "../step-kit/step.ts";
import { Failed, never, until } from "../step-kit/waiting.ts";
import { signIn } from "./sign-in.ts";

/** One transparent pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const cacheHeader = "public, max-age=31536000, immutable";
const longestWait = 60_000;

export const image: Step = {
  name: "image",
  needs: [signIn],
  async take(run) {
    const { place, made, stop, found } = run;
    const body = { fileType: "image/png", fileName: "pixel.png", prefix: "original", eventId: run.id };
    const answer = await asAdmin(run).POST("/events/event-image-upload-url", { body });
    const { uploadUrl, key, publicUrl } = answered(200, "POST /events/event-image-upload-url", answer);
    made.expect({
      what: `the image ${key}`,
      remove: (signal) => place.removeImage(key, signal),
      command: place.removeImageCommand(key),
    });
    const uploaded = await fetched(place.reached(uploadUrl), never, {
      method: "PUT",
      headers: { "content-type": "image/png" },
      body: pixel,
    });
    if (uploaded.status !== 200) {
      // S3 checks the rights of the function that has signed the URL.
      // https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
      const [, reason = ""] = /<Message>(.*?)<\/Message>/s.exec(uploaded.text) ?? [];
      throw new Failed(`the upload answered ${uploaded.status}. ${reason}`.trim());
    }
    const begun = performance.now();
    const header = await until(longestWait, "the cache header", stop, async () => {
      const { status, headers } = await fetched(place.reached(publicUrl), stop);
      if (status !== 200) throw new Failed(`${publicUrl} is ${status}, not public.`);
      return headers.get("cache-control") ?? undefined;
    });
    if (header !== cacheHeader) throw new Failed(`the cache header is ${header}.`);
    found.measured.push(`image: its cache header came ${Math.round(performance.now() - begun)} ms after the upload.`);
    return "an uploaded image is public and has its cache header.";
  },
};
