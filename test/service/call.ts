/** Calls of the API, as a test makes them. */
import { retryingFetch } from "../../client/index.ts";
import type { Names } from "../any-stage/names.ts";
import { documentedBy } from "./documented.ts";
import type { Answer, BareStage, Call } from "./given.ts";

/** Says what is wrong with an answer of the API. */
const undocumented = documentedBy();
const howToDeclare =
  "Declare it in `responses` or `refusals` of the route's routes.ts, then run npm run generate, which writes docs/openapi.json.";

/** Asks again as the club's client does. Each try may take the fifteen seconds of a request. */
const patient = retryingFetch({ maxTries: 8 });

/** The answer has names that are signed: in the address of an image, in the token of a device. */
const isSigned = (path: string): boolean => /^\/events\/(event-image-upload-url|.*\/door\/devices)$/.test(path);

/**
 * @param names of a stage that others use, too
 * @returns calls the API, and parses the answer as JSON. An answer that the reference does not describe is an error
 */
export function callerOf(apiUrl: string, tokenFor: BareStage["tokenFor"], names?: Names): BareStage["api"] {
  return async (method, path, { as, token, body, headers, once = false }: Call = {}): Promise<Answer> => {
    const bearer = token ?? (as && (await tokenFor(as)));
    names?.choose(method, path, body);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    // A text is sent unchanged: it may be signed.
    const sent = typeof body === "string" ? text : text && names ? names.body(text) : text;
    const request = new Request(apiUrl + (names ? names.path(path) : path), {
      method,
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        // No connection is used again that the server has just closed.
        ...(names && { connection: "close" }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const response = await (once ? fetch : patient)(request);
    const received = await response.text();
    const answer = names && !isSigned(path) ? names.back(received) : received;
    const contentType = response.headers.get("content-type") ?? "";
    const { status } = response;
    const answered = names ? names.headers(response.headers) : response.headers;
    const problem = undocumented({ method, path, status, contentType, text: answer, headers: answered });
    if (problem) throw new Error(`${method} ${path}: ${problem}. ${howToDeclare}`);
    return {
      status,
      body: answer === "" ? undefined : contentType.startsWith("text/") ? answer : JSON.parse(answer),
      headers: answered,
    };
  };
}
