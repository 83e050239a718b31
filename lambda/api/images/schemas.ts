import { closed, EventId, Line, Name, Type } from "#kit/schema.ts";

export const UploadRequest = closed({
  fileType: Line(127),
  fileName: Name,
  prefix: Name,
  eventId: EventId,
});

export const UploadUrl = closed({
  /** For an HTTP PUT with exactly the content type of the request; expires after 60 seconds. */
  uploadUrl: Type.String(),
  key: Type.String(),
  /** The public address of the same object. */
  publicUrl: Type.String(),
});
