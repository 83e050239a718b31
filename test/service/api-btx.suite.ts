/** The investment game over HTTP (`docs/contract.md`, "Investment game"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Answer, exec, user } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

let things = 0;
/** @returns a name that no other test uses */
const fresh = (name: string): string => {
  things += 1;
  return `${name}-${things}`;
};
const person = (name = "p"): string => `${fresh(name)}@student.example`;

const admin = (method: string, path: string, body?: object) =>
  stage.api(method, `/btx/admin${path}`, { as: exec, body });
const save = (body: object) => admin("POST", "/project", body);
const read = (path: string, as = user) => stage.api("GET", `/btx${path}`, { as });
const list = (path: string, as = user) => stage.list(`/btx${path}`, as);
const trade = (side: "buy" | "sell", as: string, projectId: string, shares: number) =>
  stage.api("POST", `/btx/market/${side}`, { as, body: { projectId, shares } });
const dataOf = ({ status, body }: Answer) => {
  expect({ status, body }).toMatchObject({ status: 200, body: { message: expect.stringMatching(/\.$/) } });
  expect(Object.keys(body).sort()).toEqual(["data", "message"]);
  return body.data;
};

/** Makes a project in a new event. */
async function givenProject(more: object = {}) {
  const [projectId, eventId] = [fresh("project"), fresh("event")];
  const project = dataOf(await save({ projectId, ticker: "PRJ", name: "Project", eventId, ...more }));
  return { projectId, eventId, project };
}

const traded = (answer: Answer) => {
  const { trade, project, account } = dataOf(answer);
  return { price: trade.price, cash: trade.cashDelta, now: project.currentPrice, balance: account.cashBalance };
};

describe("a trade", () => {
  test("of 5 shares of a fresh project costs 5.36, and selling them pays 5.15", async () => {
    const { projectId, eventId } = await givenProject();
    const as = person();
    const { trade: row, project, account } = dataOf(await trade("buy", as, projectId, 5));
    expect(row).toEqual({
      tradeId: expect.stringMatching(/^[0-9A-Z]{26}$/),
      projectId,
      userId: as,
      side: "BUY",
      shares: 5,
      price: 1.05,
      fee: 0.11,
      cashDelta: -5.36,
      createdAt: expect.any(Number),
    });
    expect(project).toMatchObject({ projectId, basePrice: 1, currentPrice: 1.1, netShares: 5, totalVolume: 5.25 });
    expect(account).toEqual({ userId: as, eventId, cashBalance: 2_494.64, initialBalance: 2_500 });
    expect(dataOf(await trade("sell", as, projectId, 5))).toMatchObject({
      trade: { side: "SELL", price: 1.05, fee: 0.1, cashDelta: 5.15 },
      project: {
        currentPrice: 1,
        netShares: 0,
        totalBuyShares: 5,
        totalSellShares: 5,
        totalTrades: 2,
        totalVolume: 10.5,
      },
      account: { cashBalance: 2_499.79 },
    });
  });

  test("writes a message whose data does not name the trader", async () => {
    const { projectId, eventId } = await givenProject();
    const { trade: row } = dataOf(await trade("buy", person(), projectId, 2));
    const message = (await stage.outboxRows()).filter(
      ({ detailType, detail }) => detailType === "btx.traded" && detail.data.projectId === projectId,
    );
    expect(message.map(({ detail }) => detail.data)).toEqual([
      { tradeId: row.tradeId, eventID: eventId, projectId, side: "BUY", shares: 2 },
    ]);
  });

  test("without enough cash or shares, or of an unknown project, is refused and changes nothing", async () => {
    const { projectId, eventId } = await givenProject({ seedAmount: 1_000 });
    const as = person();
    // A share costs about 101.00, so 25 shares cost more than the starting cash of 2,500.00.
    const expectRefused = async (answer: Promise<Answer>, status: number, code: string) =>
      expect(await answer).toMatchObject({ status, body: { code } });
    await expectRefused(trade("buy", as, projectId, 25), 409, "INSUFFICIENT_CASH");
    await expectRefused(trade("sell", as, projectId, 1), 409, "INSUFFICIENT_SHARES");
    await expectRefused(trade("buy", as, "nothing", 1), 404, "NOT_FOUND");
    expect(await stage.stored(`USER#${as}`)).toEqual([]);
    dataOf(await trade("buy", as, projectId, 20));
    const before = await stage.stored(`USER#${as}`);
    await expectRefused(trade("buy", as, projectId, 5), 409, "INSUFFICIENT_CASH");
    await expectRefused(trade("sell", as, projectId, 21), 409, "INSUFFICIENT_SHARES");
    expect(await stage.stored(`USER#${as}`)).toEqual(before);
    expect(dataOf(await list(`/projects?eventId=${eventId}`))[0]).toMatchObject({ netShares: 20, totalTrades: 1 });
  });
});

describe("a read", () => {
  test("of projects and market shows one event, `kickstart` when the request names none", async () => {
    const projectId = fresh("usual");
    const project = dataOf(await save({ projectId, ticker: "USL", name: "Usual" }));
    expect(project).toEqual({
      projectId,
      eventId: "kickstart",
      ticker: "USL",
      name: "Usual",
      description: "",
      basePrice: 1,
      currentPrice: 1,
      netShares: 0,
      totalBuyShares: 0,
      totalSellShares: 0,
      totalTrades: 0,
      totalVolume: 0,
      seedAmount: 0,
      isActive: true,
      createdAt: expect.any(Number),
      updatedAt: project.createdAt,
    });
    expect(dataOf(await list("/projects"))).toContainEqual(project);
    await trade("buy", person(), projectId, 10);
    expect(dataOf(await list("/market/snapshot?eventId=kickstart")).projects).toContainEqual(
      expect.objectContaining({ projectId, currentPrice: 1.2, netShares: 10, marketCap: 12 }),
    );
  });

  test("of the portfolio values holdings at present prices; the average price is without fees", async () => {
    const { projectId, eventId } = await givenProject({ ticker: "ONE" });
    const as = person();
    await trade("buy", as, projectId, 5);
    await trade("buy", as, projectId, 10);
    await trade("sell", as, projectId, 6);
    // 5 at 1.05 and 10 at 1.20 cost 17.25. Selling 6 of the 15 takes 6.90 off, so 9 shares stay for 10.35.
    expect(dataOf(await read(`/portfolio?eventId=${eventId}`, as))).toEqual({
      account: { userId: as, eventId, cashBalance: 2_489.69, initialBalance: 2_500 },
      totalEquityValue: 10.62,
      totalPortfolioValue: 2_500.31,
      holdings: [
        {
          projectId,
          ticker: "ONE",
          name: "Project",
          shares: 9,
          avgPrice: 1.15,
          currentPrice: 1.18,
          marketValue: 10.62,
          pnl: 0.27,
        },
      ],
    });
  });

  test("of the leaderboard shows the best and the worst by name, and only the caller by email", async () => {
    const { projectId, eventId } = await givenProject();
    const [ada, bob, eve] = [person("ada"), person("bob"), person("eve")];
    await stage.api("POST", "/users", { as: ada, body: { fname: "Ada", lname: "Lovelace" } });
    await stage.api("POST", "/users", { as: bob, body: { fname: "bob@student.example", lname: "B" } });
    await trade("buy", ada, projectId, 100);
    await trade("buy", bob, projectId, 10);
    await trade("buy", eve, projectId, 1);
    const board = dataOf(await list(`/leaderboard?eventId=${eventId}&limitTop=2&limitBottom=1`, bob));
    expect(board.traders).toBe(3);
    // Ada paid 204.00 for 100 shares, which are worth 322.00 at 3.22 now.
    expect(board.top).toEqual([
      {
        userId: "Ada L.",
        equityValue: 322,
        cashBalance: 2_296,
        totalValue: 2_618,
        totalPnl: 118,
        returnPct: 4.72,
        positionsCount: 1,
      },
      expect.objectContaining({ userId: bob, positionsCount: 1 }),
    ]);
    expect(board.bottom).toEqual([
      expect.objectContaining({ userId: "Player", equityValue: 3.22, totalPnl: -0.05, returnPct: 0 }),
    ]);
    const all = dataOf(await list(`/leaderboard?eventId=${eventId}`, exec));
    expect([...all.top, ...all.bottom].map(({ userId }) => userId).join()).not.toContain("@");
  });

  test("shows a person who has deleted the account as before: account and trades stay with their event", async () => {
    const { projectId, eventId } = await givenProject();
    const ada = person("ada");
    await stage.api("POST", "/users", { as: ada, body: { fname: "Ada", lname: "Lovelace" } });
    await trade("buy", ada, projectId, 100);
    const shown = async () => [
      dataOf(await list(`/leaderboard?eventId=${eventId}`, exec)),
      dataOf(await list(`/trades?projectId=${projectId}`, exec)),
    ];
    const before = await shown();
    expect((await stage.api("DELETE", "/users/self", { as: ada })).status).toBe(200);
    await stage.settled();
    expect(await shown()).toEqual(before);
    const kinds = async () => (await stage.stored(`USER#${ada}`)).map(({ SK }) => SK);
    expect(await kinds()).toEqual([`BTX#${eventId}`]);
    // A token lives on for an hour. A trade with it brings no account of the club back.
    expect((await trade("sell", ada, projectId, 100)).status).toBe(200);
    expect(await kinds()).toEqual([`BTX#${eventId}`]);
  });

  test("of trades shows those of a project by name, newest first, and without a project the caller's own", async () => {
    const [one, other] = [await givenProject(), await givenProject()];
    const [ada, bob] = [person(), person()];
    await stage.api("POST", "/users", { as: ada, body: { fname: "Ada" } });
    for (const [as, { projectId }, shares] of [
      [ada, one, 1],
      [bob, one, 2],
      [ada, other, 3],
      [bob, one, 4],
    ] as const) {
      dataOf(await trade("buy", as, projectId, shares));
    }
    const brief = (rows: { userId: string; shares: number }[]) => rows.map(({ userId, shares }) => [userId, shares]);
    const ofOne = (query = "", as = bob) => read(`/trades?projectId=${one.projectId}${query}`, as);
    expect(brief(dataOf(await ofOne()))).toEqual([
      [bob, 4],
      [bob, 2],
      ["Ada", 1],
    ]);
    expect(brief(dataOf(await ofOne("&limit=1", ada)))).toEqual([["Player", 4]]);
    expect(brief(dataOf(await list("/trades", ada)))).toEqual([
      [ada, 3],
      [ada, 1],
    ]);
    expect(await read("/trades?projectId=nothing")).toMatchObject({ status: 404 });
  });

  test("of the price history shows trades and other changes, oldest first; a limit keeps the newest", async () => {
    const { projectId, eventId } = await givenProject();
    const as = person();
    await trade("buy", as, projectId, 5);
    await admin("POST", "/phase-bump", { projectId, bumpType: "DEMO_WINNER" });
    await admin("POST", "/seed", { projectId, seedDelta: 2 });
    await admin("POST", "/reset", { eventId, userId: as });
    const path = `/price-history?projectId=${projectId}`;
    const points = dataOf(await read(path));
    expect(points.map(({ price, source }: { price: number; source: string }) => [source, price])).toEqual([
      ["CREATED", 1],
      ["TRADE", 1.1],
      ["DEMO_WINNER", 2.1],
      ["SEED", 2.3],
      ["RESET", 2.2],
    ]);
    expect(Object.keys(points[0]).sort()).toEqual(["createdAt", "price", "projectId", "source", "ts"]);
    for (const { ts, createdAt } of points) expect(ts).toBe(createdAt);
    expect(dataOf(await read(`${path}&limit=2`))).toEqual(points.slice(-2));
    expect(dataOf(await read(`${path}&since=${points[3].createdAt}`))).toEqual(points.slice(3));
    expect(await read("/price-history?projectId=nothing")).toMatchObject({ status: 404 });
    expect(await read("/price-history")).toMatchObject({ status: 400, body: { issues: [{ path: "/projectId" }] } });
  });
});

describe("a project", () => {
  test("that is saved again keeps price, shares and event, also when the fields are in the query", async () => {
    const { projectId, eventId } = await givenProject({ description: "Old", seedAmount: 10 });
    await trade("buy", person(), projectId, 5);
    await admin("POST", "/phase-bump", { projectId, bumpType: "ADD", delta: 0.55 });
    const query = new URLSearchParams({ projectId, ticker: "NEW", name: "New name", seedAmount: "99" });
    const saved = dataOf(await stage.api("POST", `/btx/admin/project?${query}`, { as: exec }));
    const kept = { eventId, basePrice: 2.55, currentPrice: 2.65, netShares: 5, seedAmount: 10, totalTrades: 1 };
    expect(saved).toMatchObject({ ticker: "NEW", name: "New name", description: "Old", ...kept });
    expect(dataOf(await list(`/projects?eventId=${eventId}`))).toEqual([saved]);
    expect(await save({ projectId, ticker: "X", name: "X", eventId: "elsewhere" })).toMatchObject({
      status: 409,
      body: { code: "DUPLICATE" },
    });
  });

  test("needs id, ticker and name; the body counts before the query", async () => {
    expect(await save({ name: "X" })).toMatchObject({
      status: 400,
      body: { issues: [{ path: "/projectId" }, { path: "/ticker" }] },
    });
    expect(await save({ projectId: "constructor", ticker: "X", name: "X" })).toMatchObject({
      status: 400,
      body: { issues: [{ path: "/projectId" }] },
    });
    const [one, other] = [fresh("project"), fresh("project")];
    const body = { projectId: other, ticker: "X", name: "X", eventId: one };
    const answer = await stage.api("POST", `/btx/admin/project?projectId=${one}`, { as: exec, body });
    expect(dataOf(answer).projectId).toBe(other);
  });

  test("that is deleted is not listed or traded, keeps holders and price, and is back when it is saved", async () => {
    const { projectId, eventId } = await givenProject();
    const as = person();
    await trade("buy", as, projectId, 5);
    const remove = () => admin("DELETE", `/project/${projectId}`);
    expect(dataOf(await remove())).toMatchObject({ projectId, isActive: false, netShares: 5, currentPrice: 1.1 });
    expect(dataOf(await remove())).toMatchObject({ isActive: false });
    expect(dataOf(await list(`/projects?eventId=${eventId}`))).toEqual([]);
    expect(dataOf(await list(`/market/snapshot?eventId=${eventId}`)).projects).toEqual([]);
    for (const side of ["buy", "sell"] as const) {
      expect(await trade(side, as, projectId, 1)).toMatchObject({ status: 409, body: { code: "PROJECT_INACTIVE" } });
    }
    const portfolio = dataOf(await read(`/portfolio?eventId=${eventId}`, as));
    expect(portfolio).toMatchObject({ totalEquityValue: 5.5, holdings: [{ projectId, shares: 5, marketValue: 5.5 }] });
    dataOf(await save({ projectId, ticker: "PRJ", name: "Project" }));
    expect(traded(await trade("sell", as, projectId, 5))).toMatchObject({ cash: 5.15, now: 1 });
    expect(await admin("DELETE", "/project/nothing")).toMatchObject({ status: 404 });
  });
});

describe("a reset", () => {
  test("of one account gives back its shares, and changes no other account and no trade", async () => {
    const { projectId, eventId } = await givenProject();
    const [ada, bob] = [person(), person()];
    await trade("buy", ada, projectId, 5);
    await trade("buy", bob, projectId, 7);
    const one = { eventId, accounts: 1, complete: true };
    for (let time = 0; time < 2; time += 1) {
      expect(dataOf(await admin("POST", "/reset", { eventId, userId: ` ${ada.toUpperCase()} ` }))).toEqual(one);
      const { account, holdings } = dataOf(await read(`/portfolio?eventId=${eventId}`, ada));
      expect([account.cashBalance, holdings]).toEqual([2_500, []]);
      const [project] = dataOf(await list(`/projects?eventId=${eventId}`));
      expect(project).toMatchObject({ netShares: 7, currentPrice: 1.14, totalBuyShares: 12, totalTrades: 2 });
    }
    expect(dataOf(await read(`/portfolio?eventId=${eventId}`, bob)).holdings).toMatchObject([{ shares: 7 }]);
    expect(dataOf(await list("/trades", ada))).toHaveLength(1);
    expect(await admin("POST", "/reset", { eventId, userId: person() })).toMatchObject({ status: 404 });
  });
});
