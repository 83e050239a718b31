import { gameEventOf } from "#domain/game/game-event.ts";
import { projectAnswer, withMarketCap } from "#domain/game/project.ts";
import { projectsOfEvent } from "#domain/game/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

const inTheGame = async (eventId: string) => (await projectsOfEvent(eventId)).filter(({ market }) => market.isActive);

export const listProjects = api(routes.listProjects, async ({ query }) => {
  const projects = await inTheGame(gameEventOf(query));
  return ok({ message: "Projects.", data: projects.map(projectAnswer) });
});

export const snapshot = api(routes.snapshot, async ({ query }) => {
  const projects = await inTheGame(gameEventOf(query));
  return ok({ message: "The market now.", data: { projects: projects.map(withMarketCap) } });
});
