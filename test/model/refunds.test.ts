/** The money that goes back, in random sequences, and with each of its rules taken out once. */
import { describeRefunds } from "./refunds-suite.ts";

describeRefunds({ runs: 40, patience: 1_000, hasRare: false });
