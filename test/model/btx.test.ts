/** The investment game with many requests at once, and with each of its conditions taken out once. */
import { describeGame } from "./btx-suite.ts";

describeGame(20, 2_000);
