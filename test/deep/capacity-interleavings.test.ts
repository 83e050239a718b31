/** The capacity protocol in thousands of orders of its calls for every situation. */
import { describeCapacity } from "../model/suite.ts";

describeCapacity(2_000, 2_000);
