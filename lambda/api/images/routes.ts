import { route } from "#kit/request/route.ts";
import { UploadRequest, UploadUrl } from "./schemas.ts";

export const createUploadUrl = route("POST /events/event-image-upload-url", {
  access: "admin",
  summary: "A presigned address to upload an event's banner to",
  says: { 200: "The address to upload to, and the one to show." },
  body: UploadRequest,
  responses: { 200: UploadUrl },
});
