/**
 * The order of the test files: the slow ones first, so that no process is left alone with one of them at the end. Jest
 * knows durations from earlier runs only, and goes by the size of the files in a clean checkout.
 */
import { createRequire } from "node:module";

const { default: Sequencer } = createRequire(import.meta.url)("@jest/test-sequencer");

const slowFiles = [
  "test/service/registrations",
  "test/service/events",
  "test/service/without-consumers",
  "test/service/people",
  "test/browser/door",
  "test/model/capacity",
  "test/infra/stack",
  "test/model/membership",
  "test/model/payments",
  "tools/once/import/test/import",
  "test/model/refunds",
  "test/service/requests",
  "test/browser/reference",
  "test/browser/web-app",
  "tools/smoke/test/smoke",
  "test/service/mail-and-game",
  "test/service/treasurer",
  "test/service/open-stage",
  "test/service/budgets",
  "test/service/refunds",
  "test/model/deleted-payers",
  "tools/laptop/test/gateway-stage",
  "test/service/readme",
  "test/service/api-notices",
  "test/service/errors",
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
