/** The operations of the reference, and what their answers and refusals say. */
import { generalMessage, type ProblemCode } from "#api/refusals.ts";
import type { namedRoutes, Route } from "#api/routes.ts";
import { usualSubjects } from "./prose.ts";

export interface Named {
  readonly route: Route;
  /** The name in the routes' file. */
  readonly name: string;
  readonly operationId: string;
  /** The function that answers it. */
  readonly capability: string;
}

/** All routes. Names of the game's routes, and names used by two functions, are prefixed with the function's name. */
export function named(routes: typeof namedRoutes): Named[] {
  const all = Object.entries(routes).flatMap(([capability, declared]) =>
    Object.entries(declared).map(([name, route]) => ({ capability, name, route })),
  );
  const isShared = (name: string) => all.filter((one) => one.name === name).length > 1;
  return all.map(({ capability, name, route }) => ({
    route,
    name,
    capability,
    operationId:
      isShared(name) || capability === "btx" ? capability + name.charAt(0).toUpperCase() + name.slice(1) : name,
  }));
}

const subjectsOf = ({ route, capability }: Named): readonly string[] => route.about ?? usualSubjects(capability);

const verbs: Readonly<Record<string, string>> = {
  POST: "created",
  PATCH: "updated",
  PUT: "updated",
  DELETE: "deleted",
};

/** What an answer is. A read's summary says it. Undefined: the route has to say it. */
export function answerSentence(named: Named, status: string): string | undefined {
  const { method, summary, says } = named.route;
  const own = says?.[Number(status)];
  if (own !== undefined) return `${own}`;
  if (method === "GET") return `${summary}.`;
  const [subject] = subjectsOf(named);
  return subject && `${subject} ${verbs[method]}.`;
}

/** The message of admin routes for other callers. */
export const adminsOnly = "Unauthorized";

/** Whether the refusal says the same everywhere. */
export const isGeneral = (named: Named, code: ProblemCode): boolean =>
  [generalMessage(code), adminsOnly].includes(refusalSentences(named, code)[0]);

/** The sentences of a refusal. The first one is the example. None: the route has to say it. */
export function refusalSentences(named: Named, code: ProblemCode): readonly string[] {
  const { access, owner, says } = named.route;
  if (code === "FORBIDDEN" && access === "admin") return [adminsOnly];
  const own = says?.[code];
  if (own !== undefined) return [own].flat();
  if (code === "FORBIDDEN" && owner?.who === "self or admin") return [`${owner.foreign}`];
  if (code === "NOT_FOUND") return subjectsOf(named).map((what) => `${what} not found.`);
  return [generalMessage(code) ?? []].flat();
}
