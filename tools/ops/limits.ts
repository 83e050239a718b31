/** The limits of a stage's API, and what `api` makes of them. Pure. */

/** Of a route or of all others. AWS takes the numbers as targets. */
export interface Limit {
  readonly DetailedMetricsEnabled: boolean;
  /** Requests a second, of all callers together. */
  readonly ThrottlingRateLimit: number;
  /** Requests at the same moment. */
  readonly ThrottlingBurstLimit: number;
}

/** A route with settings of its own has nothing of the default. */
export interface Limits {
  readonly others: Limit;
  /** By route key. */
  readonly routes: Readonly<Record<string, Limit>>;
}

export type Wish = "close" | "limit" | "open";

export interface Situation {
  readonly now: Limits;
  /** What a deploy has set. */
  readonly template: Limits;
  /** Only this one. Absent: to close and to open all, to limit those with limits of their own in the template. */
  readonly route: string | undefined;
}

/** Requests a second of a limited route: visitors notice, and a flood costs next to nothing. */
const small = 5;

const limited = (limit: Limit, requests: number): Limit => ({
  ...limit,
  ThrottlingRateLimit: requests,
  ThrottlingBurstLimit: requests,
});

const limitedRoutes = ({ now }: Situation, keys: readonly string[], requests: number): Limits["routes"] => ({
  ...now.routes,
  ...Object.fromEntries(keys.map((key) => [key, limited(now.routes[key] ?? now.others, requests)])),
});

function without(routes: Limits["routes"], key: string): Limits["routes"] {
  const { [key]: _, ...others } = routes;
  return others;
}

const wishes: Readonly<Record<Wish, (situation: Situation) => Limits>> = {
  close: (situation) => {
    const { now, route } = situation;
    if (route !== undefined) return { ...now, routes: limitedRoutes(situation, [route], 0) };
    return { others: limited(now.others, 0), routes: limitedRoutes(situation, Object.keys(now.routes), 0) };
  },
  limit: (situation) => {
    const { now, template, route } = situation;
    const keys = route === undefined ? Object.keys(template.routes) : [route];
    return { ...now, routes: limitedRoutes(situation, keys, small) };
  },
  open: ({ now, template, route }) => {
    if (route === undefined) return template;
    const own = template.routes[route];
    return { ...now, routes: { ...without(now.routes, route), ...(own && { [route]: own }) } };
  },
};

/** Whether a word names one. */
export const isWish = (word: string): word is Wish => Object.hasOwn(wishes, word);

/** The limits as they are wanted. */
export const wanted = (wish: Wish, situation: Situation): Limits => wishes[wish](situation);

/** The calls that lead from one state to another. */
export interface Change {
  readonly others: Limit | undefined;
  readonly routes: Limits["routes"];
  /** The routes that lose their settings: UpdateStage only adds. */
  readonly removed: readonly string[];
}

const isSame = (a: Limit | undefined, b: Limit | undefined): boolean =>
  a?.ThrottlingRateLimit === b?.ThrottlingRateLimit &&
  a?.ThrottlingBurstLimit === b?.ThrottlingBurstLimit &&
  a?.DetailedMetricsEnabled === b?.DetailedMetricsEnabled;

/** @returns undefined when nothing has to change */
export function changeBetween(now: Limits, then: Limits): Change | undefined {
  const others = isSame(now.others, then.others) ? undefined : then.others;
  const changed = Object.entries(then.routes).filter(([key, limit]) => !isSame(now.routes[key], limit));
  const removed = Object.keys(now.routes).filter((key) => then.routes[key] === undefined);
  if (others === undefined && changed.length === 0 && removed.length === 0) return undefined;
  return { others, routes: Object.fromEntries(changed), removed };
}

const text = (limit: Limit | undefined): string =>
  limit === undefined
    ? "as all other routes"
    : `${limit.ThrottlingRateLimit} a second, ${limit.ThrottlingBurstLimit} at once`;

/** A line for all other routes, and one for each route with settings before or after. */
export function linesOf(now: Limits, then: Limits): string[] {
  const keys = [...new Set([...Object.keys(now.routes), ...Object.keys(then.routes)])].sort();
  const rows: [string, Limit | undefined, Limit | undefined][] = [
    ["all other routes", now.others, then.others],
    ...keys.map((key): [string, Limit | undefined, Limit | undefined] => [key, now.routes[key], then.routes[key]]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, before, after]) => {
    const change = isSame(before, after) ? text(before) : `${text(before)} -> ${text(after)}`;
    return `${name.padEnd(width)}  ${change}`;
  });
}
