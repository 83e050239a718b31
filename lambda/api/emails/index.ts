import { dispatch } from "#kit/request/api.ts";
import * as campaigns from "./campaigns.ts";
import { sendEmails } from "./send-emails.ts";
import * as suppressions from "./suppressions.ts";
import * as templates from "./templates.ts";

export const handler = dispatch([
  ...Object.values(templates),
  sendEmails,
  ...Object.values(campaigns),
  ...Object.values(suppressions),
]);
