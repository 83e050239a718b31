/** The capacity protocol in every order of its calls that chance finds, and with each of its rules taken out once. */
import { describeCapacity } from "./suite.ts";

describeCapacity({ runsEach: 60, maxRounds: 2_000 });
