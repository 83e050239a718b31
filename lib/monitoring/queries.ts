/** Saved queries of CloudWatch Logs Insights: the questions of docs/runbook.md. */

export interface SavedQuery {
  /** Groups of logs that it asks: those of all functions, of the named ones, or the requests of the gateway. */
  readonly of: "functions" | "requests" | readonly string[];
  readonly query: readonly string[];
}

/** By their names in the console. `…` stands for what a person types in. */
export const savedQueries: Readonly<Record<string, SavedQuery>> = {
  "All lines of one request or message": {
    of: "functions",
    query: [
      "fields @timestamp, service, level, message, @message",
      'filter requestId = "…" or correlationId = "…" or id = "…" or outboxId = "…"',
      "sort @timestamp asc",
    ],
  },
  // A function that runs out of its time or memory prints no line of its own. Lambda's record of the invocation says it.
  // https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html
  "Errors by function": {
    of: "functions",
    query: [
      'filter level = "ERROR" or (type = "platform.report" and record.status != "success")',
      "fields coalesce(service, @log) as origin, coalesce(message, record.status) as said",
      "stats count(*) as lines, latest(@timestamp) as last, latest(because) as cause by origin, said",
    ],
  },
  "Longest runs by function": {
    of: "functions",
    query: [
      'filter type = "platform.report"',
      "stats max(record.metrics.durationMs) as longest, count(*) as runs by @log",
      "sort longest desc",
    ],
  },
  "Requests that failed, by route": {
    of: "requests",
    query: ["filter status >= 500 or status = 429", "stats count(*) as requests by status, routeKey, bin(5m)"],
  },
  // Refusals of the gateway (401, 429) come before it knows the caller. `-` are requests without a token.
  "Who asks most": {
    of: "requests",
    query: ["stats count(*) as requests by caller, routeKey, status", "sort requests desc", "limit 20"],
  },
  "Slow requests": {
    of: "requests",
    query: [
      "fields @timestamp, requestId, routeKey, status, responseLatency, integrationLatency",
      "filter responseLatency > 3000",
      "sort responseLatency desc",
    ],
  },
  "Contended requests by minute": {
    of: "functions",
    query: ['filter message = "contended"', "stats count(*) as requests by bin(1m), route"],
  },
  "Refused payment events, by reason": {
    of: ["PaymentWebhook"],
    query: [
      'filter message = "payment event refused" or message = "payment address tried"',
      "stats count(*) as events by message, reason, bin(1h)",
    ],
  },
  "What payment events did": {
    of: ["PaymentWebhook"],
    query: [
      "fields @timestamp, coalesce(session, payment, payout) as about, meaning, effect, requestId",
      'filter message = "payment event"',
      "sort @timestamp desc",
    ],
  },
  "Promotions: when, and by which request": {
    of: ["Relay"],
    query: [
      "fields @timestamp, outboxId, correlationId",
      'filter message = "event sent" and detailType = "registration.promoted"',
      "sort @timestamp desc",
    ],
  },
  "Mails and messages that failed": {
    of: ["Mail", "Campaigns", "Chat", "Books"],
    query: [
      "fields @timestamp, service, message, id, reason, @message",
      'filter level = "ERROR" or level = "WARN"',
      "sort @timestamp desc",
    ],
  },
  "What the sweeper did": {
    of: ["Sweeper"],
    query: [
      "fields @timestamp, message, ended, failed, event, expiresAt, failures",
      'filter message = "holds swept" or message = "hold not ended"',
      "sort @timestamp desc",
    ],
  },
  "Sign-ups that were not decided": {
    of: ["IdentityPreSignUp"],
    query: ["fields @timestamp, error", 'filter message = "sign-up not decided"', "sort @timestamp desc"],
  },
  "Mails with codes above a limit": {
    of: ["IdentityPreSignUp", "Registrations"],
    query: [
      'filter message = "mail with a code above a limit"',
      "stats count(*) as mails by bin(5m), mail, held",
      "sort mails desc",
    ],
  },
};
