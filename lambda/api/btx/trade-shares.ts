import { accountAnswer } from "#domain/game/account.ts";
import { type Executed, executeTrade } from "#domain/game/execute-trade.ts";
import { projectAnswer } from "#domain/game/project.ts";
import { tradeAnswer } from "#domain/game/trade.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

const tradedAnswer = (message: string, { trade, project, account }: Executed) =>
  ok({
    message,
    data: { trade: tradeAnswer(trade, trade.email), project: projectAnswer(project), account: accountAnswer(account) },
  });

export const buy = api(routes.buy, async ({ body, caller, context }) =>
  tradedAnswer("Shares bought.", await executeTrade({ ...body, side: "BUY", email: caller.email }, context)),
);

export const sell = api(routes.sell, async ({ body, caller, context }) =>
  tradedAnswer("Shares sold.", await executeTrade({ ...body, side: "SELL", email: caller.email }, context)),
);
