/** The capacity protocol in random orders of its calls, and with each of its rules taken out once. */
import { knownRuns } from "./known-runs.ts";
import { describeCapacity, describeKnownRuns } from "./suite.ts";

describeCapacity({ runsEach: 3, maxRounds: 2_000, hasRare: false });
describeKnownRuns(knownRuns);
