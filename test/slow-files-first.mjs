/**
 * The order of the test files: the slow ones first, so that no process is left alone with one of them at the end. Jest
 * knows durations from earlier runs only, and goes by the size of the files in a clean checkout.
 */
import { createRequire } from "node:module";

const { default: Sequencer } = createRequire(import.meta.url)("@jest/test-sequencer");

const slowFiles = [
  "test/browser/web-app",
  "test/browser/reference",
  "test/service/api-access",
  "test/service/registrations",
  "test/service/mail-and-game",
  "tools/once/import/test/import",
  "test/infra/stack",
  "test/browser/mails",
  "test/service/without-consumers",
  "test/service/api-hostile",
  "test/service/outage",
  "test/model/capacity",
  "test/service/api-budget",
  "test/service/people",
  "test/service/events",
  "test/service/budgets",
  "tools/laptop/test/identity-amplify",
  "tools/laptop/test/gateway-stage",
  "test/service/first-minutes",
  "test/service/disorder",
  "test/service/open-stage",
  "test/model/table",
  "test/service/api-notices",
  "test/service/errors",
  "test/service/readme",
  "test/model/btx",
  "test/model/points",
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
