/** Paths with a trailing slash: whether they reach their functions (`lambda/kit/request/gateway-key.ts`). */
import { routes } from "#api/routes.ts";
import type { Answer } from "../api.ts";
import { byAdmin, type Run, type Step } from "../step.ts";
import { Failed } from "../waiting.ts";
import { signIn } from "./sign-in.ts";

interface Place {
  readonly method: string;
  readonly path: string;
  /** Whether a route of the contract takes what is longer. */
  readonly goesOn: boolean;
}

/** The declared keys of these paths. A greedy parameter at the end may be empty. */
const keys = routes.flatMap(({ greedyKeys }) => greedyKeys);

/** The starts of routes whose last parameter may be empty. */
const open = keys.filter((key) => key.endsWith("+}")).map((key) => key.slice(0, key.lastIndexOf("{")));

/** Every path of the contract with a trailing slash. */
const slashPaths: readonly Place[] = [...keys.filter((key) => key.endsWith("/")), ...open].map((key) => {
  const [method = "", path = ""] = key.split(" ");
  const goesOn = open.some((start) => start.startsWith(key));
  return { method, path: path.replace("{email}", "smoke@club.example"), goesOn };
});

/** Three segments: no path of the contract is that long below any of these. */
const below = "smoke/no/such";

/** A GET has no body. An empty body is refused by every route that writes. */
const bodyOf = (method: string) => (method === "GET" ? {} : { body: {} });

/** The gateway's own 404 has no code. */
const isGateways404 = ({ status, body }: Answer): boolean => status === 404 && body?.code === undefined;

const reachesFunction = (answer: Answer): boolean => answer.status !== 401 && !isGateways404(answer);

/** The function was called and failed: that says nothing about the path. */
const works = ({ status }: Answer): boolean => status < 500;

type PathAnswer = Answer & { readonly place: Place };

/** Requests the paths sequentially, so that the first response of a function is its cold start. */
async function answersOf(
  ask: (place: Place) => Promise<Answer>,
  places: readonly Place[] = slashPaths,
): Promise<PathAnswer[]> {
  const answers: PathAnswer[] = [];
  for (const place of places) answers.push({ ...(await ask(place)), place });
  return answers;
}

/** @returns problems */
const wrongOf = (answers: readonly PathAnswer[], isRight: (answer: Answer) => boolean): string[] =>
  answers.filter((answer) => !isRight(answer)).map(({ place, status }) => `${place.method} ${place.path} is ${status}`);

/** @returns problems */
async function wrongAnswers(
  ask: (place: Place) => Promise<Answer>,
  isRight: (answer: Answer) => boolean,
  places?: readonly Place[],
): Promise<string[]> {
  const answers = await answersOf(ask, places);
  return wrongOf(answers, isRight);
}

const longer = (place: Place): Place => ({ ...place, path: place.path + below });

const without =
  ({ api }: Run) =>
  ({ method, path }: Place) =>
    api.call(method, path, bodyOf(method));

const withToken =
  (run: Run) =>
  ({ method, path }: Place) =>
    byAdmin(run, method, path, bodyOf(method));

export const slashPathsWithoutToken: Step = {
  name: "slash paths, no token",
  async take(run) {
    const is401 = ({ status }: Answer) => status === 401;
    const ask = without(run);
    const wrong = await wrongAnswers(ask, is401);
    if (wrong.length > 0) throw new Failed(`${wrong.join(", ")}; each must be 401.`);
    const open = await wrongAnswers((place) => ask(longer(place)), is401);
    if (open.length > 0) throw new Failed(`with more behind the slash ${open.join(", ")}; each must be 401.`);
    return `all ${slashPaths.length} paths are 401.`;
  },
};

export const slashPathsWithToken: Step = {
  name: "slash paths, token",
  needs: [signIn],
  async take(run) {
    const ask = withToken(run);
    const answers = await answersOf(ask);
    const ending = slashPaths.filter(({ goesOn }) => !goesOn);
    const taken = await wrongAnswers((place) => ask(longer(place)), isGateways404, ending);
    const wrong = [
      ...wrongOf(answers, works),
      ...wrongOf(answers, reachesFunction).map((text) => `${text} and does not reach its function`),
      ...taken.map((text) => `${text} with more behind the slash, and must be 404`),
    ];
    if (wrong.length > 0) throw new Failed(`${wrong.join(", ")}.`);
    return `all ${slashPaths.length} paths reach their functions; with more behind the slash they are 404.`;
  },
};
