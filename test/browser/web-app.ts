/** Stands for the club's web application: how it calls the API, from a page of another origin. */
import { Amplify } from "aws-amplify";
import { fetchAuthSession } from "aws-amplify/auth";
import { ApiError, type ClubClient, clubClient, unwrap } from "../../client/index.ts";

/** What the application needs to know of the stage. */
export interface WebAppSettings {
  readonly apiUrl: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly identityUrl: string;
}

/** Calls of the application, also for a test that evaluates expressions in the page: `club.api.GET("/users/self")`. */
export interface WebApp {
  /**
   * Calls the API with `fetch`, and with the token whenever there is a session. Only POST and PUT name the type of their
   * body, as in the club's application. The browser calls the body of a PATCH or DELETE plain text.
   * @returns the JSON of the answer, or its text if it is CSV
   * @throws Error with the sentence of a refusal, and `status`; TypeError when the browser keeps the answer to itself
   */
  call(method: string, path: string, data?: object): Promise<unknown>;
  /** The email of the token; undefined without a session. */
  email(): Promise<string | undefined>;
  readonly api: ClubClient;
  readonly unwrap: typeof unwrap;
  /** The ids of the events of a year, read two a page. */
  eventIds(year: number): Promise<string[][]>;
  /** The code and status of a refused call. */
  refusal(result: ReturnType<ClubClient["GET"]>): Promise<readonly [string | undefined, number | undefined]>;
}

/** Connects the page with a stage. */
export function connect({ apiUrl, userPoolId, userPoolClientId, identityUrl }: WebAppSettings): WebApp {
  const pool = { userPoolId, userPoolClientId, userPoolEndpoint: identityUrl, loginWith: { email: true } };
  Amplify.configure({ Auth: { Cognito: pool } });
  const idToken = async () => (await fetchAuthSession()).tokens?.idToken;
  const token = async () => (await idToken())?.toString();
  const api = clubClient({ baseUrl: apiUrl, token, pause: async () => undefined });
  return {
    async call(method, path, data) {
      const headers = new Headers();
      if (method === "POST" || method === "PUT") headers.set("content-type", "application/json");
      const bearer = await token();
      if (bearer !== undefined) headers.set("authorization", `Bearer ${bearer}`);
      const response = await fetch(apiUrl + path, { method, headers, ...(data && { body: JSON.stringify(data) }) });
      if (response.headers.get("content-type")?.startsWith("text/csv")) return response.text();
      const answer = (await response.json()) as { readonly message?: string };
      if (!response.ok) throw Object.assign(new Error(answer.message), { status: response.status });
      return answer;
    },
    email: async () => (await idToken())?.payload.email?.toString(),
    api,
    unwrap,
    async eventIds(year) {
      const ids: string[][] = [];
      for await (const events of api.pages("/events", { params: { query: { limit: 2, year } } })) {
        ids.push(events.map(({ id }) => id));
      }
      return ids;
    },
    async refusal(result) {
      const { error } = await result;
      return error instanceof ApiError ? [error.code, error.status] : [undefined, undefined];
    },
  };
}
