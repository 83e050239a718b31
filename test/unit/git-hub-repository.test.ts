/** How `delivery.gitHub` names the repository. */
import { expect, test } from "@jest/globals";
import { repositoryOf, repositoryProblem } from "../../lib/delivery/git-hub-repository.ts";

test.each([
  ["bizclub/club-events", { owner: "bizclub", name: "club-events" }],
  ["Biz-Club-2/.github", { owner: "Biz-Club-2", name: ".github" }],
  ["bizclub@11/club_events.v2@22", { owner: "bizclub", ownerId: "11", name: "club_events.v2", id: "22" }],
])("%s", (gitHub, repository) => {
  expect(repositoryProblem(gitHub)).toBeUndefined();
  expect(repositoryOf(gitHub)).toEqual(repository);
});

test.each([
  ["", /is empty/],
  ["bizclub", /is neither/],
  ["bizclub/club-events/main", /is neither/],
  ["bizclub/club-events\n", /is neither/],
  ["bizclub/..", /is neither/],
  ["bizclub@11/club-events", /one id/],
  ["bizclub/club-events@22", /one id/],
  ["https://github.com/bizclub/club-events", /is an address.*"bizclub\/club-events"/],
  ["git@github.com:bizclub/club-events.git", /is an address.*"bizclub\/club-events"/],
])("%j is refused", (gitHub, problem) => {
  expect(repositoryProblem(gitHub)).toMatch(problem);
});
