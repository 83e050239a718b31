import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, write } from "#kit/table/execute.ts";
import { auditRow, changesOf } from "#outbox/audit.ts";
import { priceOf } from "./market.ts";
import type { Market, Project } from "./project.ts";
import * as store from "./store.ts";
import type { Worth } from "./worth.ts";

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
