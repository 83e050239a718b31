/** Where an event's image is stored (`spec.md`, "Image upload", steps 1 to 4). Pure. */

/** A media type without parameters: `image/` and a token of RFC 6838. */
const imageType = /^image\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;
/** An SVG, like everything that a browser reads as XML, is a document that can run scripts under the bucket's address. */
const documentType = /^image\/(svg.*|.*\+xml)$/i;

/** Why a file of this type may not be uploaded; undefined when it may. */
export function typeProblem(fileType: string): string | undefined {
  if (!fileType.startsWith("image/")) return "must start with image/";
  const [mediaType = ""] = fileType.split(";", 1);
  if (documentType.test(mediaType.trim())) return "must not be an SVG";
  return imageType.test(fileType) ? undefined : "must be an image media type such as image/jpeg";
}

/** The part behind the last dot, lower-cased, without anything but a-z and 0-9; `jpg` when nothing is left. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  const extension = dot < 0 ? "" : fileName.slice(dot + 1);
  return extension.toLowerCase().replace(/[^a-z0-9]/g, "") || "jpg";
}

export interface ImageUpload {
  readonly eventId: string;
  readonly fileName: string;
  /** `original` names the archive copy, everything else the one that is shown. */
  readonly prefix: string;
}

/** @param now epoch milliseconds */
export function imageKey({ eventId, fileName, prefix }: ImageUpload, now: number): string {
  const folder = prefix === "original" ? "original" : "optimized";
  return `event-thumbnails/${eventId}/${folder}/${now}.${extensionOf(fileName)}`;
}
