import { dispatch } from "#kit/api.ts";
import { getCampaign, listCampaigns, stopCampaign } from "./campaigns.ts";
import { sendEmails } from "./send-emails.ts";
import { addSuppression, listSuppressions, removeSuppression } from "./suppressions.ts";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  previewTemplate,
  updateNamedTemplate,
  updateTemplate,
} from "./templates.ts";

export const handler = dispatch([
  listTemplates,
  createTemplate,
  updateTemplate,
  getTemplate,
  updateNamedTemplate,
  deleteTemplate,
  previewTemplate,
  sendEmails,
  listCampaigns,
  getCampaign,
  stopCampaign,
  listSuppressions,
  addSuppression,
  removeSuppression,
]);
