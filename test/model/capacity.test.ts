/** The capacity protocol in random orders of its calls, and with each of its rules taken out once. */
import { knownRuns } from "./known-runs.ts";
import { describeCapacity, describeKnownRuns } from "./suite.ts";

describeCapacity({ runsEach: 4, maxRounds: 2_000 });
describeKnownRuns(knownRuns);
