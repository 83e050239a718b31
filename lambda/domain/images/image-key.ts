/** The object key of an event's image (`docs/contract.md`, "Image upload"). Pure. */

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
