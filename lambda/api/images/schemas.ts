import { closed, described, EventId, FileName, ImageType, Type } from "#kit/schema/schema.ts";

export const UploadRequest = closed({
  fileType: described(ImageType, "A media type without parameters, and no `+xml` type."),
  fileName: described(FileName, "The part behind the last dot becomes the extension; `jpg` when none is left."),
  prefix: described(FileName, "`original` for the archive copy. Every other value means `optimized`."),
  eventId: described(EventId, "The event need not exist."),
});

export const UploadUrl = closed({
  uploadUrl: Type.String({
    description: "For a PUT with exactly the content type of the request. Expires after 60 seconds.",
  }),
  key: Type.String(),
  publicUrl: Type.String({ description: "The public address of the same object." }),
});
