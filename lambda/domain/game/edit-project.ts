/** Saves and removes projects of the game, and moves their prices. */

import { Duplicate, NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type IfMatch, requireMatch } from "#kit/request/etag.ts";
import { answer, type Decision, edit, execute, write } from "#kit/table/execute.ts";
import { auditRow, changesOf } from "#outbox/audit.ts";
import { priceOf } from "./market.ts";
import { inUnits } from "./money.ts";
import { editedText, gameEventOf, type Market, newMarket, type Project } from "./project.ts";
import * as store from "./store.ts";
import { seedDecimals, seeded, type Worth } from "./worth.ts";

/** The project that an admin wants. */
export interface WantedProject {
  readonly projectId: string;
  readonly ticker: string;
  readonly name: string;
  readonly description?: string;
  readonly eventId?: string;
  /** For a new project only. */
  readonly seedAmount?: number;
}

/** What an admin changes of a project, in one. */
const edited = ({ text, market: { isActive } }: Project) => ({ ...text, isActive });

const auditOf = (action: string, before: Project | undefined, after: Project, context: RequestContext) =>
  auditRow({ action, id: after.text.projectId, changes: changesOf(before && edited(before), edited(after)) }, context);

/** @throws ValidationFailed */
function create(wanted: WantedProject, context: RequestContext): Decision<Project> {
  const { now, queueKey } = context;
  const { projectId, ticker, name, description = "", seedAmount = 0 } = wanted;
  const text = { projectId, eventId: gameEventOf(wanted), ticker, name, description, version: 1, createdAt: now };
  const worth = seeded({ bumped: 0 }, inUnits(seedAmount, seedDecimals, "/seedAmount"), "/seedAmount");
  const market = newMarket(text, worth, now);
  const point = { projectId, priceAfter: priceOf(market), source: "CREATED", createdAt: now };
  const members = {
    text: store.putText(text),
    market: store.putMarket(market),
    point: store.putPoint(point, queueKey),
    audit: auditOf("project.created", undefined, { text, market }, context),
  };
  return write(members, { text, market });
}

/**
 * Changes the texts of a project, but not price, shares or event. A removed project is active again.
 * @throws Duplicate the project belongs to another event
 */
function change(project: Project, wanted: WantedProject, context: RequestContext): Decision<Project> {
  const { text, market } = project;
  const { now } = context;
  const { ticker, name, description = text.description } = wanted;
  if ((wanted.eventId ?? text.eventId) !== text.eventId)
    throw new Duplicate("There is a project with this id in another event already.");
  if (market.isActive && ticker === text.ticker && name === text.name && description === text.description)
    return answer(project);
  const changed = editedText(text, { ticker, name, description });
  const after = { text: changed, market: { ...market, isActive: true, updatedAt: now } };
  const members = {
    text: store.replaceText(changed, text),
    market: store.setActive(text.projectId, true, now),
    audit: auditOf("project.updated", project, after, context),
  };
  return write(members, after);
}

/**
 * Creates a project, or changes its texts.
 * @throws Duplicate PreconditionFailed ValidationFailed
 */
export const saveProject = (
  wanted: WantedProject,
  ifMatch: IfMatch | undefined,
  context: RequestContext,
): Promise<Project> =>
  execute(
    {
      read: () => store.readProjectToEdit(wanted.projectId),
      decide(existing: Project | undefined): Decision<Project> {
        requireMatch(ifMatch, existing?.text);
        return existing ? change(existing, wanted, context) : create(wanted, context);
      },
    },
    context,
  );

/**
 * Deactivates a project: it is no longer listed or traded. Its holders keep their shares, which portfolios value at the
 * last price.
 * @throws NotFound PreconditionFailed
 */
export const removeProject = (
  projectId: string,
  ifMatch: IfMatch | undefined,
  context: RequestContext,
): Promise<Project> =>
  edit(
    "Project",
    () => store.readProjectToEdit(projectId),
    (project) => {
      requireMatch(ifMatch, project.text);
      if (!project.market.isActive) return answer(project);
      const text = editedText(project.text, {});
      const after = { text, market: { ...project.market, isActive: false, updatedAt: context.now } };
      const members = {
        text: store.replaceText(text, project.text),
        market: store.setActive(projectId, false, context.now),
        audit: auditOf("project.removed", project, after, context),
      };
      return write(members, after);
    },
    context,
  );

export interface Move {
  readonly projectId: string;
  /** The name of the move in the price history. */
  readonly source: string;
  readonly to: (market: Market) => Worth;
}

/**
 * Changes the base of a project, and adds a point to its price history. Concurrent trades change the market, so a refused
 * move continues with the market that the refusal returned.
 * @throws NotFound ValidationFailed
 */
export const movePrice = ({ projectId, source, to }: Move, context: RequestContext): Promise<Project> =>
  execute(
    {
      read: async (latest: Project | undefined) => latest ?? (await store.readProject(projectId)),
      decide(project: Project | undefined): Decision<Project, Project | undefined> {
        if (!project) throw new NotFound("Project");
        const { text, market } = project;
        const { now, queueKey } = context;
        const worth = to(market);
        const point = { projectId, priceAfter: priceOf({ ...market, ...worth }), source, createdAt: now };
        const moved = { text, market: { ...market, ...worth, updatedAt: now } };
        const change = { action: "project.priceMoved", id: projectId, changes: changesOf(market, moved.market) };
        const members = {
          point: store.putPoint(point, queueKey),
          market: store.moveBase(market, worth, now),
          audit: auditRow(change, context),
        };
        return write(members, moved, (refused) => (refused.market ? { text, market: refused.market } : undefined));
      },
    },
    context,
  );
