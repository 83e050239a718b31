/** The investment game with everybody at once, and with each of its conditions taken out once. */
import { describeGame } from "./btx-suite.ts";

describeGame(30, 2_000);
