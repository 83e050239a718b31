import { imageKey } from "#domain/images/image-key.ts";
import { presignUpload } from "#domain/images/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import * as routes from "./routes.ts";

const publicAddress = requiredEnv("IMAGE_PUBLIC_URL");

export const handler = dispatch([
  api(routes.createUploadUrl, async ({ body, now }) => {
    const key = imageKey(body, now);
    return ok({ uploadUrl: await presignUpload(key, body.fileType), key, publicUrl: `${publicAddress}/${key}` });
  }),
]);
