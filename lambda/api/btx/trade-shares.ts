import { accountAnswer } from "#domain/game/account.ts";
import { type Executed, executeTrade } from "#domain/game/execute-trade.ts";
import { projectAnswer } from "#domain/game/project.ts";
import { tradeAnswer } from "#domain/game/trade.ts";
import { ok } from "#kit/answer.ts";
import { answeredOnce } from "#kit/answered-once.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

const tradedAnswer = (message: string, { trade, project, account }: Executed) =>
  ok({
    message,
    data: { trade: tradeAnswer(trade, trade.email), project: projectAnswer(project), account: accountAnswer(account) },
  });

const bought = (executed: Executed) => tradedAnswer("Shares bought.", executed);
const sold = (executed: Executed) => tradedAnswer("Shares sold.", executed);

export const buy = api(
  routes.buy,
  answeredOnce(routes.buy, async ({ body, caller, context, claimed }) => {
    const order = { ...body, side: "BUY", email: caller.email } as const;
    return bought(await executeTrade(order, context, claimed?.keeping(bought)));
  }),
);

export const sell = api(
  routes.sell,
  answeredOnce(routes.sell, async ({ body, caller, context, claimed }) => {
    const order = { ...body, side: "SELL", email: caller.email } as const;
    return sold(await executeTrade(order, context, claimed?.keeping(sold)));
  }),
);
