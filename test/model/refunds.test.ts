/** The money that goes back, in random sequences, and with each of its rules taken out once. */
import { describeRefunds } from "./refunds-suite.ts";

describeRefunds({ runs: 120, patience: 1_000 });
