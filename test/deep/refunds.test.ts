/** Many more sequences of payments and refunds than in `npm test`. */
import { describeRefunds } from "../model/refunds-suite.ts";

describeRefunds({ runs: 10_000, patience: 5_000, hasRare: true });
