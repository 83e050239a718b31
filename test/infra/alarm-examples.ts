/** Values that let an alarm ring, and values next to them that do not. The oldest period is the first. */
import type { AlarmName } from "../../lib/monitoring/alarms.ts";
import type { Values } from "./alarm-evaluation.ts";

export interface AlarmExample {
  readonly loud: readonly Values[];
  readonly quiet: readonly Values[];
}

const none = undefined;
/** So many periods with this value. */
const periods = (count: number, value: Values): Values[] => Array.from({ length: count }, () => value);

export const examples: Readonly<Record<AlarmName, AlarmExample>> = {
  apiErrors: { loud: [5, 0, 6], quiet: [40, 4, none] },
  apiThrottled: { loud: [50], quiet: [49] },
  apiSlow: { loud: [8_000, 9_000, 15_000], quiet: [15_000, none, 15_000] },
  functionErrors: {
    loud: [{ "Errors Mail": 1 }, {}, { "Errors Promoter": 2 }, {}, { "Errors Relay": 1 }, {}],
    quiet: [{ "Errors Mail": 9 }, {}, {}, {}, { "Errors Mail": 9, "Errors Chat": 2 }, {}],
  },
  functionThrottles: { loud: [10], quiet: [9] },
  concurrency: { loud: [8, 10, none, 1, 9], quiet: [10, 10, 7, 7, none] },
  nearTimeout: {
    loud: [{ "Duration Mail": 27_000 }, {}, { "Duration Campaigns": 170_000, "Duration Mail": 5 }],
    quiet: [{ "Duration ClearUp": 119_000 }, { "Duration Campaigns": 160_000 }, {}],
  },
  streamLate: { loud: periods(5, 120_000), quiet: [...periods(4, 600_000), none] },
  queuesLate: {
    loud: periods(2, { "ApproximateAgeOfOldestMessage MailQueue": 900 }),
    quiet: periods(2, {
      "ApproximateAgeOfOldestMessage CampaignsQueue": 4 * 3_600 - 1,
      "ApproximateAgeOfOldestMessage MailQueue": 60,
    }),
  },
  deadLetters: { loud: [1], quiet: [0] },
  laterTries: { loud: [1], quiet: [none] },
  sweeperFails: { loud: [1, 1, 0, 1, none, 1, 0, 1, 0, 0], quiet: [1, 1, 1, 1, 0, 0, 0, 0, 0, none] },
  sweeperStopped: { loud: [none, none], quiet: [none, 1] },
  tableThrottled: {
    loud: [
      { "ReadThrottleEvents Table": 30, "WriteThrottleEvents GSI1 Table": 20 },
      {},
      { "WriteThrottleEvents Table": 50 },
    ],
    quiet: [{ "WriteThrottleEvents Table": 4_000 }, { "ReadThrottleEvents LEADERBOARD Table": 49 }, {}],
  },
  tableErrors: {
    loud: [{ "SystemErrors GetItem Table": 5 }, { "SystemErrors Query Table": 4, "SystemErrors GetItem Table": 1 }, {}],
    quiet: [{ "SystemErrors TransactWriteItems Table": 400 }, {}, { "SystemErrors Query Table": 4 }],
  },
  tableConflicts: { loud: periods(3, 5_000), quiet: [20_000, 20_000, 4_999] },
  busFailures: { loud: [1], quiet: [none] },
  mailBounces: { loud: [0.05], quiet: [0.049] },
  mailComplaints: { loud: [0.001], quiet: [0.0009] },
  mailsRefused: { loud: [5], quiet: [4] },
  mailsPostponed: { loud: [10, 200], quiet: [200, 9] },
  signUpsUndecided: { loud: [3], quiet: [2] },
  paymentEventsRefused: { loud: [5], quiet: [4] },
  chatRefused: { loud: [1], quiet: [none] },
  chatUnconfirmed: { loud: [1], quiet: [none] },
  contended: { loud: [50], quiet: [49] },
};
