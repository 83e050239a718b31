/** Paths with a trailing slash: whether they reach their functions (`lambda/kit/request/gateway-key.ts`). */
import { routes } from "#api/routes.ts";
import type { Answer } from "../step-kit/api.ts";
import { byAdmin, type Step } from "../step-kit/step.ts";
import { Failed } from "../step-kit/waiting.ts";
import { signIn } from "./sign-in.ts";

interface Place {
  readonly method: string;
  readonly path: string;
}

/** Every path of the contract with a trailing slash: as it is declared, or with an empty greedy parameter at the end. */
const slashPaths: readonly Place[] = routes
  .flatMap(({ greedyKeys }) => greedyKeys)
  .map((key) => (key.endsWith("+}") ? key.slice(0, key.lastIndexOf("{")) : key))
  .filter((key) => key.endsWith("/"))
  .map((key) => {
    const [method = "", path = ""] = key.split(" ");
    return { method, path: path.replace("{email}", "smoke@club.example") };
  });

/** A GET has no body. An empty body is refused by every route that writes. */
const bodyOf = (method: string) => (method === "GET" ? {} : { body: {} });

/** The gateway's own 404 has no code. A function that was called and failed says nothing about the path. */
const reachesFunction = ({ status, body }: Answer): boolean =>
  status !== 401 && status < 500 && !(status === 404 && body?.code === undefined);

/**
 * Requests the paths sequentially, so that the first response of a function is its cold start.
 * @returns problems
 */
async function wrongAnswers(ask: (place: Place) => Promise<Answer>, isRight: (answer: Answer) => boolean) {
  const wrong: string[] = [];
  for (const place of slashPaths) {
    const answer = await ask(place);
    if (!isRight(answer)) wrong.push(`${place.method} ${place.path} is ${answer.status}`);
  }
  return wrong.join(", ");
}

export const slashPathsWithoutToken: Step = {
  name: "slash paths, no token",
  async take({ api }) {
    const ask = ({ method, path }: Place) => api.call(method, path, bodyOf(method));
    const wrong = await wrongAnswers(ask, ({ status }) => status === 401);
    if (wrong) throw new Failed(`${wrong}; each must be 401.`);
    return `all ${slashPaths.length} paths are 401.`;
  },
};

export const slashPathsWithToken: Step = {
  name: "slash paths, token",
  needs: [signIn],
  async take(run) {
    const wrong = await wrongAnswers(({ method, path }) => byAdmin(run, method, path, bodyOf(method)), reachesFunction);
    if (wrong) throw new Failed(`${wrong}; each must reach its function.`);
    return `all ${slashPaths.length} paths reach their functions.`;
  },
};
