/** Stands for the club's web application: Amplify and the typed client, in a page of another origin than the API's. */
import { Amplify } from "aws-amplify";
import { fetchAuthSession, signIn, signOut } from "aws-amplify/auth";
import { ApiError, type ClubClient, clubClient, unwrap } from "../../lib/client/index.ts";

/** What the page needs to know of the stage. */
export interface WebAppSettings {
  readonly apiUrl: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly identityUrl: string;
}

/** Calls by the page, for a test that evaluates expressions in it: `club.api.GET("/users/self")`. */
export interface WebApp {
  readonly api: ClubClient;
  readonly unwrap: typeof unwrap;
  signIn(email: string, password: string): Promise<void>;
  signOut(): Promise<void>;
  /** The ids of all events, read two a page. */
  eventIds(): Promise<string[][]>;
  /** The code and status of a refused call. */
  refusal(result: ReturnType<ClubClient["GET"]>): Promise<readonly [string | undefined, number | undefined]>;
}

function start({ apiUrl, userPoolId, userPoolClientId, identityUrl }: WebAppSettings): WebApp {
  const pool = { userPoolId, userPoolClientId, userPoolEndpoint: identityUrl, loginWith: { email: true } };
  Amplify.configure({ Auth: { Cognito: pool } });
  const token = async () => (await fetchAuthSession()).tokens?.idToken?.toString();
  const api = clubClient({ baseUrl: apiUrl, token });
  return {
    api,
    unwrap,
    signIn: async (username, password) => void (await signIn({ username, password })),
    signOut: () => signOut(),
    async eventIds() {
      const ids: string[][] = [];
      for await (const events of api.pages("/events", { params: { query: { limit: 2 } } })) {
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

Object.assign(globalThis, { startWebApp: start });
