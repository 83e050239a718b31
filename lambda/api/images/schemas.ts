import { closed, EventId, FileName, Line, Type } from "#kit/schema.ts";

export const UploadRequest = closed({
  fileType: Line(127),
  fileName: FileName,
  prefix: FileName,
  eventId: EventId,
});

export const UploadUrl = closed({
  /** For an HTTP PUT with exactly the content type of the request; expires after 60 seconds. */
  uploadUrl: Type.String(),
  key: Type.String(),
  /** The public address of the same object. */
  publicUrl: Type.String(),
});
