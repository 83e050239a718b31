/**
 * The order of the test files: the slow ones first, so that no process is left alone with one of them at the end. Jest
 * knows durations from earlier runs only, and goes by the size of the files in a clean checkout.
 */
import { createRequire } from "node:module";

const { default: Sequencer } = createRequire(import.meta.url)("@jest/test-sequencer");

const slowFiles = [
  "model/capacity",
  "service/api-hostile",
  "service/api-access",
  "service/document-properties",
  "model/btx",
  "infra/stack",
  "service/outage",
  "service/api-notices",
  "service/gateway-stage",
  "service/api-rush",
  "service/api-door",
  "model/membership",
  "service/queue-chain",
  "service/pipeline",
  "service/api-budget",
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
