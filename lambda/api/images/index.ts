import { dispatch } from "#kit/api.ts";
import { createUploadUrl } from "./create-upload-url.ts";

export const handler = dispatch([createUploadUrl]);
