import { texts } from "#api/records/event-fields.ts";
import { closed, described, EventId, FileName, ImageType, Type } from "#kit/schema/schema.ts";

export const UploadRequest = closed({
  fileType: described(ImageType, "A media type without parameters, and no `+xml` type.", "image/png"),
  fileName: described(
    FileName,
    "The part behind the last dot becomes the extension; `jpg` when none is left.",
    "banner.png",
  ),
  prefix: described(FileName, "`original` for the archive copy. Every other value means `optimized`.", "optimized"),
  eventId: described(EventId, "The event need not exist."),
});

const publicUrl = described(Type.String(), "The public address of the same object.", texts.imageUrl[1]);
export const UploadUrl = closed({
  uploadUrl: described(
    Type.String(),
    "For a PUT with exactly the content type of the request. Expires after 60 seconds.",
    `${texts.imageUrl[1]}?X-Amz-Signature=4f9c`,
  ),
  key: described(Type.String(), "The object's key in the bucket.", "event-thumbnails/gala/optimized/1893283200000.png"),
  publicUrl,
});
