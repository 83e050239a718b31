/**
 * The order of the test files: the slow ones first, so that no process is left alone with one of them at the end. Jest
 * knows durations from earlier runs only, and goes by the size of the files in a clean checkout.
 */
import { createRequire } from "node:module";

const { default: Sequencer } = createRequire(import.meta.url)("@jest/test-sequencer");

const slowFiles = [
  "test/browser/reference",
  "test/browser/web-app",
  "test/service/api-access",
  "tools/import/test/import",
  "test/service/budgets",
  "test/infra/stack",
  "test/model/capacity",
  "test/service/api-hostile",
  "tools/laptop/test/identity-amplify",
  "tools/laptop/test/gateway-stage",
  "test/service/disorder",
  "test/service/api-notices",
  "test/service/registrations",
  "test/browser/mails",
  "test/service/mail-and-game",
  "test/service/people",
  "test/service/events",
  "test/service/first-minutes",
  "test/service/api-budget",
  "test/service/api-rush",
  "tools/smoke/test/smoke",
  "test/model/payments",
  "test/model/membership",
];

const rank = ({ path }) => {
  const place = slowFiles.findIndex((name) => path.endsWith(`/${name}.test.ts`));
  return place < 0 ? slowFiles.length : place;
};

export default class SlowFilesFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
