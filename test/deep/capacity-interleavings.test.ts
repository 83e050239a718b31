/** The capacity protocol in thousands of orders of its calls for every situation. */
import { describeCapacity } from "../model/suite.ts";

describeCapacity({ runsEach: 1_000, maxRounds: 2_000, hasRare: true, promotesBeside: true });
