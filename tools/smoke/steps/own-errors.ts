/** Whether pages can read the gateway's own errors. A line that informs: both are right. */
import { fetched } from "../step-kit/api.ts";
import type { Run, Step } from "../step-kit/step.ts";

const allowOrigin = "access-control-allow-origin";

/** Asks as a page does. */
async function asPage({ api, origin, stop }: Run, path: string) {
  const { status, headers } = await fetched(api.url + path, stop, { headers: { origin } });
  return { status, isReadable: headers.get(allowOrigin) === origin };
}

/**
 * AWS promises CORS headers for answers of functions only
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html), and the client works either way.
 */
export const ownErrors: Step = {
  name: "own errors",
  async take(run) {
    const ofFunction = await asPage(run, "/events/getActiveEvent");
    if (!ofFunction.isReadable) return { skipped: `the stage takes no calls from pages of ${run.origin}.` };
    const { status, isReadable } = await asPage(run, "/users/self");
    const whether = isReadable ? "can" : "cannot";
    run.found.measured.push(`own errors: pages ${whether} read the gateway's own ${status}.`);
    return `pages of ${run.origin} read answers of functions.`;
  },
};
