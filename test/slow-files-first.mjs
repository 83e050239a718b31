/**
 * The order of the test files: the slow ones first, so that no process is left alone with one of them at the end. Jest
 * knows durations from earlier runs only, and goes by the size of the files in a clean checkout.
 */
import { createRequire } from "node:module";

const { default: Sequencer } = createRequire(import.meta.url)("@jest/test-sequencer");

const slowFiles = [
  "browser/reference",
  "browser/web-app",
  "service/api-access",
  "service/import",
  "service/budgets",
  "infra/stack",
  "model/capacity",
  "service/api-hostile",
  "service/identity-amplify",
  "service/gateway-stage",
  "service/disorder",
  "service/api-notices",
  "service/api-door",
  "browser/mails",
  "service/api-two-admins",
  "service/first-minutes",
  "service/api-budget",
  "service/api-rush",
  "service/smoke",
  "model/payments",
  "model/membership",
];

const rank = ({ path }) => {
  const place = slowFiles.findIndex((name) => path.endsWith(`test/${name}.test.ts`));
  return place < 0 ? slowFiles.length : place;
};

export default class SlowFilesFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
