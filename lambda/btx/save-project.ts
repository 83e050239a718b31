import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { Duplicate, ValidationFailed } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { eventOf } from "./event.ts";
import { priceOf } from "./market.ts";
import { inUnits } from "./money.ts";
import { newMarket, type Project, projectAnswer } from "./project.ts";
import * as routes from "./routes.ts";
import type { NewProject } from "./schemas.ts";
import * as store from "./store.ts";
import { seedDecimals, seeded } from "./worth.ts";

type Wanted = NewProject & Required<Pick<NewProject, "projectId" | "ticker" | "name">>;

/** What the body says goes before what the query says. */
function wantedFrom(query: NewProject, body: NewProject): Wanted {
  const wanted = { ...query, ...body };
  const missing = (["projectId", "ticker", "name"] as const).filter((name) => wanted[name] === undefined);
  if (missing.length > 0)
    throw new ValidationFailed(missing.map((name) => ({ path: `/${name}`, message: "is required" })));
  // Ids are keys of holdings; a word that every object knows already cannot be one.
  if (String(wanted.projectId) in {})
    throw new ValidationFailed([{ path: "/projectId", message: "is a reserved word" }]);
  return wanted as Wanted;
}

interface Origin {
  readonly now: number;
  readonly arrival: string;
}

async function create(wanted: Wanted, { now, arrival }: Origin): Promise<Project | typeof again> {
  const { projectId, ticker, name, description = "", seedAmount = 0 } = wanted;
  const text = { projectId, eventId: eventOf(wanted), ticker, name, description, createdAt: now };
  const worth = seeded({ bumped: 0 }, inUnits(seedAmount, seedDecimals, "/seedAmount"), "/seedAmount");
  const market = newMarket(text, worth, now);
  const { committed } = await commit({
    text: store.putText(text, true),
    market: store.putMarket(market),
    point: store.putPoint({ projectId, priceAfter: priceOf(market), source: "CREATED", createdAt: now }, arrival),
  });
  return committed ? { text, market } : again;
}

/** Its price and its shares stay, its event too. One that was taken out of the game comes back. */
async function change({ text, market }: Project, wanted: Wanted, now: number): Promise<Project> {
  const { ticker, name, description = text.description } = wanted;
  if ((wanted.eventId ?? text.eventId) !== text.eventId)
    throw new Duplicate("There is a project with this id in another event already.");
  const { projectId, eventId, createdAt } = text;
  const changed = { projectId, eventId, ticker, name, description, createdAt };
  await commit({
    text: store.putText(changed, false),
    market: store.setActive(projectId, true, now),
  });
  return { text: changed, market: { ...market, isActive: true, updatedAt: now } };
}

export const saveProject = api(routes.saveProject, async ({ query, body, now, arrival }) => {
  const wanted = wantedFrom(query, body);
  const project = await untilSettled(async () => {
    const existing = (await store.readProjects([wanted.projectId], "strong")).get(wanted.projectId);
    return existing ? change(existing, wanted, now) : create(wanted, { now, arrival });
  });
  return ok({ message: "Project saved.", data: projectAnswer(project) });
});
