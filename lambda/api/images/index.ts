import { allowUpload } from "#domain/images/allow-upload.ts";
import { imageKey } from "#domain/images/image-key.ts";
import { requiredEnv } from "#kit/env.ts";
import { ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import * as routes from "./routes.ts";

const publicAddress = requiredEnv("IMAGE_PUBLIC_URL");

export const handler = dispatch([
  api(routes.createUploadUrl, async ({ body, context }) => {
    const key = imageKey(body, context.now);
    return ok({ uploadUrl: await allowUpload(key, body.fileType, context), key, publicUrl: `${publicAddress}/${key}` });
  }),
]);
