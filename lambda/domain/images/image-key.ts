/** Type check and object key of an event's image (`docs/contract.md`, "Image upload"). Pure. */

/** A media type without parameters: `image/` and a token of RFC 6838. */
const imageType = /^image\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;
/** Browsers treat SVG and other XML types as documents, and would run their scripts on the bucket's origin. */
const documentType = /^image\/(svg.*|.*\+xml)$/i;

/** The reason why a file of this type is not accepted. Undefined when it is. */
export function typeProblem(fileType: string): string | undefined {
  if (!fileType.startsWith("image/")) return "must start with image/";
  const [mediaType = ""] = fileType.split(";", 1);
  if (documentType.test(mediaType.trim())) return "must not be an SVG";
  return imageType.test(fileType) ? undefined : "must be an image media type such as image/jpeg";
}

/** The part after the last dot, lower-cased, only a-z and 0-9. `jpg` when it is empty. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  const extension = dot < 0 ? "" : fileName.slice(dot + 1);
  return extension.toLowerCase().replace(/[^a-z0-9]/g, "") || "jpg";
}

export interface ImageUpload {
  readonly eventId: string;
  readonly fileName: string;
  /** `original`: the archive copy. Any other value: the copy that pages show. */
  readonly prefix: string;
}

/** @param now epoch milliseconds */
export function imageKey({ eventId, fileName, prefix }: ImageUpload, now: number): string {
  const folder = prefix === "original" ? "original" : "optimized";
  return `event-thumbnails/${eventId}/${folder}/${now}.${extensionOf(fileName)}`;
}
