/** The tests of `test/model/btx.test.ts`, for longer. */
import { describeGame } from "../model/btx-suite.ts";

describeGame(3_000, 2_000);
