/** The common input of all parts of one local stage. */
import type { RuleStates } from "../bus/index.ts";
import type { FunctionLog } from "../functions/log.ts";
import type { RecentRequests } from "../http-api/recent-requests.ts";
import type { Permissions } from "../iam/index.ts";
import type { Activity } from "../service-kit/activity.ts";
import type { Disorder } from "../service-kit/disorder.ts";
import type { Template } from "../template/index.ts";
import type { LocalStageOptions } from "./interface.ts";
import type { Ports } from "./ports.ts";
import type { Started } from "./started.ts";

export interface StageSetup {
  readonly options: LocalStageOptions;
  readonly template: Template;
  readonly ports: Ports;
  /** Where data is kept, a folder for each service. Absent: in memory. */
  readonly data: string | undefined;
  readonly log: FunctionLog;
  /** The last requests to the API, for the start page. */
  readonly requests: RecentRequests;
  /** What the functions may do. */
  readonly permissions: Permissions;
  /** Which rules of EventBridge are on, those with a schedule too. */
  readonly ruleStates: RuleStates;
  /** Counts the work of all services together. */
  readonly activity: Activity;
  /** Absent: stream, queues and bus deliver in one order and once. */
  readonly disorder: Disorder | undefined;
  /** Every part adds the services that it starts. */
  readonly started: Started;
}
