import { gameEventOf } from "#domain/game/game-event.ts";
import { priceOf } from "#domain/game/market.ts";
import { inUnits } from "#domain/game/money.ts";
import { editedText, newMarket, type Project, projectAnswer } from "#domain/game/project.ts";
import * as store from "#domain/game/store.ts";
import { seedDecimals, seeded } from "#domain/game/worth.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { Duplicate, ValidationFailed } from "#kit/errors.ts";
import { etagOf, requireMatch } from "#kit/etag.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import * as routes from "./routes.ts";
import type { NewProject } from "./schemas.ts";

type Wanted = NewProject & Required<Pick<NewProject, "projectId" | "ticker" | "name">>;

/**
 * A field of the body counts before the same field of the query.
 * @throws ValidationFailed
 */
function wantedFrom(query: NewProject, body: NewProject): Wanted {
  const wanted = { ...query, ...body };
  const missing = (["projectId", "ticker", "name"] as const).filter((name) => wanted[name] === undefined);
  if (missing.length > 0)
    throw new ValidationFailed(missing.map((name) => ({ path: `/${name}`, message: "is required" })));
  // Project ids are keys of holdings, so a name that every object has (`constructor`) cannot be an id.
  if (String(wanted.projectId) in {})
    throw new ValidationFailed([{ path: "/projectId", message: "is a reserved word" }]);
  return wanted as Wanted;
}

/** @throws ValidationFailed */
function create(wanted: Wanted, { now, queueKey }: RequestContext): Decision<Project> {
  const { projectId, ticker, name, description = "", seedAmount = 0 } = wanted;
  const text = { projectId, eventId: gameEventOf(wanted), ticker, name, description, version: 1, createdAt: now };
  const worth = seeded({ bumped: 0 }, inUnits(seedAmount, seedDecimals, "/seedAmount"), "/seedAmount");
  const market = newMarket(text, worth, now);
  const point = { projectId, priceAfter: priceOf(market), source: "CREATED", createdAt: now };
  const members = {
    text: store.putText(text),
    market: store.putMarket(market),
    point: store.putPoint(point, queueKey),
  };
  return write(members, { text, market });
}

/**
 * Changes the texts of a project: price, shares and event stay. A removed project comes back into the game.
 * @throws Duplicate the project belongs to another event
 */
function change({ text, market }: Project, wanted: Wanted, { now }: RequestContext): Decision<Project> {
  const { ticker, name, description = text.description } = wanted;
  if ((wanted.eventId ?? text.eventId) !== text.eventId)
    throw new Duplicate("There is a project with this id in another event already.");
  if (market.isActive && ticker === text.ticker && name === text.name && description === text.description)
    return answer({ text, market });
  const changed = editedText(text, { ticker, name, description });
  const members = {
    text: store.replaceText(changed, text),
    market: store.setActive(text.projectId, true, now),
  };
  return write(members, { text: changed, market: { ...market, isActive: true, updatedAt: now } });
}

export const saveProject = api(routes.saveProject, async ({ query, body, ifMatch, context }) => {
  const wanted = wantedFrom(query, body);
  const project = await execute(
    {
      depth: "certain",
      read: () => store.readProjectToEdit(wanted.projectId),
      decide(existing: Project | undefined): Decision<Project> {
        requireMatch(ifMatch, existing?.text);
        return existing ? change(existing, wanted, context) : create(wanted, context);
      },
    },
    context,
  );
  return ok({ message: "Project saved.", data: projectAnswer(project) }, etagOf(project.text));
});
