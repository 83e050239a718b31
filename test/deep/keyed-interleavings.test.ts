/** Many more orders of requests with an `Idempotency-Key` than in `npm test`. */
import { describeKeyedRequests } from "../model/keyed-suite.ts";

describeKeyedRequests(3_000, 1_000);
