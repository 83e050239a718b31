/** Whether the API responds at all. */
import type { Step } from "../step-kit/step.ts";
import { Failed } from "../step-kit/waiting.ts";

export const reach: Step = {
  name: "api",
  async take({ api }) {
    const { error } = await api.as(undefined).GET("/events/getActiveEvent");
    // A stage without an upcoming event returns 404 with a code; the gateway's own 404 has none.
    if (error === undefined || error.code === "NOT_FOUND") return `${api.url} answers.`;
    throw new Failed(`GET ${api.url}/events/getActiveEvent answered ${error.status}: is this the ApiUrl of a stage?`);
  },
};
