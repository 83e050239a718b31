/** Requests with an `Idempotency-Key` in many orders of their calls, and with each of their conditions taken out once. */
import { describeKeyedRequests } from "./keyed-suite.ts";

describeKeyedRequests(25, 1_000);
