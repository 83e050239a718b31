import { dispatch } from "#kit/api.ts";
import { getForm } from "./get-form.ts";
import { listSubmissions } from "./list-submissions.ts";
import { submitFeedback } from "./submit-feedback.ts";

export const handler = dispatch([getForm, submitFeedback, listSubmissions]);
