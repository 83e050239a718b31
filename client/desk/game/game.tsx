import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { Line } from "../../shared/field.tsx";
import { Said, Sending, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { deskPages } from "../addresses.ts";
import { change, changeAsRead, read, readTagged } from "../calls.ts";
import { type Answer, FormAct, type FormActProps } from "../form-act.tsx";
import { count, type DoneProps, sayer } from "../parts.tsx";
import { column, figure, minor, Table } from "../table.tsx";
import { OpenRecord } from "./record.tsx";

type Project = components["schemas"]["OneProject"]["data"];
type Leaders = components["schemas"]["Leaderboard"]["data"];
type Trader = Leaders["top"][number];

/** What the game is called where the API is told no event. */
const usualEvent = "kickstart";

const gamePage = (event: string, project?: string): string =>
  `${deskPages.game}?${new URLSearchParams({ event, ...(project && { project }) })}`;
const projectPath = (id: string): string => `/btx/admin/project/${encodeURIComponent(id)}`;

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;
/** What each phase does to the base price. */
const bumps = {
  ...{ KICKOFF_HYPE: "Kickoff hype: +15 %", VALIDATION_GOOD: "Validation went well: +10 %" },
  ...{ VALIDATION_BAD: "Validation went badly: -5 %", MVP_SHIPPED: "First product shipped: +30 %" },
  ...{ USER_FEEDBACK_GOOD: "Users like it: +10 %", USER_FEEDBACK_BAD: "Users do not like it: -10 %" },
  ...{ DEMO_QUALIFIER: "Qualified for the demo: +50 %", DEMO_WINNER: "Won the demo: +100 %" },
  ...{ MULTIPLY: "Times a factor", ADD: "Plus an amount" },
};
const hints = {
  ...{ ticker: "", name: "", description: "", seedAmount: "Dollars. They raise the base price." },
  ...{ bumpType: "", multiplier: "Only for: times a factor.", delta: "Dollars, only for: plus an amount." },
};
const labels = {
  ...bumps,
  ...{ bumpType: "What happened", multiplier: "Factor", delta: "Amount", amountDelta: "Invested" },
  ...{ seedDelta: "Change of the seed", seedAbsolute: "Or the new seed" },
  ...{ projectId: "Project", seedAmount: "Seed", userId: "The person's email" },
};
const look = { labels, hints, hidden: ["eventId"] };

/** Acts that move a project's price: twice sent, they count twice. */
const priceActs: readonly (Pick<FormActProps, "text" | "title" | "sure" | "says" | "schema"> &
  Readonly<Record<"path" | "field", string>>)[] = [
  {
    ...{ text: "Phase bump", title: "Move the price by a phase", sure: "Move the price" },
    ...{ schema: "PhaseBump", path: "phase-bump", field: "projectId" },
    says: "The base price changes at once for all players. Sent twice, it moves twice; another bump can move it back.",
  },
  {
    ...{ text: "Investment", title: "Let an investment move the seed", sure: "Move the seed" },
    ...{ schema: "Investment", path: "investment-impact", field: "teamId" },
    says: "Each dollar raises the seed by 0.0001, and the price follows at once. Less than 0 takes it back. Sent twice, it counts twice.",
  },
  {
    ...{ text: "Seed", title: "Change the seed", sure: "Change the seed" },
    ...{ schema: "Seed", path: "seed", field: "projectId" },
    says: "The base price follows the seed at once for all players. Give one of both.",
  },
];

interface ProjectProps extends DoneProps {
  readonly id: string;
  readonly event: string;
}

function OpenProject({ id, event, done }: ProjectProps) {
  const record = useLoaded(async () => {
    const { value, tag } = await readTagged<{ readonly data: Project }>(projectPath(id));
    return { value: value.data, tag };
  }, [id]);
  const moved = (said: string) => {
    void record.reload();
    done(said);
  };
  return (
    <OpenRecord<Project>
      {...{ record, done, titleOf: ({ name, ticker }) => `${name} (${ticker})`, back: gamePage(event) }}
      {...{ schema: "NewProject", says: "Price and shares stay. Players see it at once.", draft: `project/${id}` }}
      look={{ labels, hints, hidden: ["projectId", "eventId", "seedAmount"] }}
      valuesOf={(project) => [
        ["About", <span class="prose">{project.description}</span>],
        ["Price", dollars(project.currentPrice)],
        ["Base price", dollars(project.basePrice)],
        ["Seed", project.seedAmount],
        ["Shares out", project.netShares],
        ["Trades", `${project.totalTrades}, ${dollars(project.totalVolume)} in all`],
        ["State", project.isActive ? "In the game" : "Out of the game"],
      ]}
      removal="It is no longer listed or traded. Its price and its holders stay; saving it again brings it back."
      path={projectPath(id)}
      save={({ projectId, eventId, ticker, name }, changes: { readonly description?: string | null }, as) => {
        const cleared = changes.description === null && { description: "" };
        const body = { projectId, eventId, ticker, name, ...changes, ...cleared };
        return changeAsRead(as, "POST", "/btx/admin/project", body);
      }}
    >
      <div class="buttons">
        {priceActs.map(({ path, field, ...act }) => (
          <FormAct
            key={path}
            {...{ ...act, done: moved, draft: `${path}/${id}`, usual: { [field]: id } }}
            look={{ labels, hints, hidden: [field] }}
            send={(body) => change("POST", `/btx/admin/${path}`, body)}
          />
        ))}
      </div>
    </OpenRecord>
  );
}

/** An account more than once: while not all are reset, the request goes on. */
async function reset(body: object): Promise<Answer> {
  for (let accounts = 0; ; ) {
    const { data } = await change<components["schemas"]["ResetDone"]>("POST", "/btx/admin/reset", body);
    accounts += data.accounts;
    if (data.complete) return { message: `${count(accounts, "account")} reset.` };
  }
}

/** A column of amounts in dollars. */
const dollarColumn = <Row,>(title: string, by: (row: Row) => number) =>
  figure(title, by, { of: (row) => dollars(by(row)) });

const traderColumns = [
  column<Trader>("Player", ({ userId }) => userId),
  dollarColumn<Trader>("Worth", ({ totalValue }) => totalValue),
  dollarColumn<Trader>("Made", ({ totalPnl }) => totalPnl),
  figure<Trader>("In %", ({ returnPct }) => returnPct, minor),
  figure<Trader>("Projects", ({ positionsCount }) => positionsCount, minor),
];

const projectColumns = [
  column<Project>("Name", ({ name }) => name),
  column<Project>("Ticker", ({ ticker }) => ticker),
  dollarColumn<Project>("Price", ({ currentPrice }) => currentPrice),
  figure<Project>("Shares out", ({ netShares }) => netShares, minor),
  figure<Project>("Trades", ({ totalTrades }) => totalTrades, minor),
  figure<Project>("Seed", ({ seedAmount }) => seedAmount, minor),
];

const resetting =
  "The account has its starting cash only, and no shares; old trades stay listed. Without an email, all accounts of this game are reset. This cannot be undone.";

/** The projects of an event's game, and who leads. */
function Game({ event, project }: { readonly event: string; readonly project: string | undefined }) {
  const act = useAct();
  const game = useLoaded(async () => {
    const [projects, leaders] = await Promise.all([
      read<{ readonly data: readonly Project[] }>("/btx/projects", { eventId: event }),
      read<{ readonly data: Leaders }>("/btx/leaderboard", { eventId: event }),
    ]);
    return { projects: projects.data, leaders: leaders.data };
  }, [event]);
  const done = sayer(act, game);
  const { projects, leaders } = game.value ?? {};
  const common = { usual: { eventId: event }, done };
  return (
    <>
      <Said {...act} />
      {project && <OpenProject key={project} {...{ id: project, event, done }} />}
      <h2>Projects</h2>
      <Waiting of={game} />
      {projects && (
        <Table<Project>
          {...{ title: "Projects", columns: projectColumns, rows: projects, none: "No project is in this game." }}
          {...{ keyOf: ({ projectId }) => projectId, pageOf: ({ projectId }) => gamePage(event, projectId) }}
        />
      )}
      <div class="buttons">
        <FormAct
          {...{ ...common, text: "Add a project", sure: "Add it", says: "Players can trade it at once.", isMain: true }}
          {...{ schema: "NewProject", draft: `project of ${event}` }}
          look={{ ...look, hints: { ...hints, projectId: "Letters, digits, - and _. It never changes." } }}
          send={(body) => change("POST", "/btx/admin/project", body)}
        />
        <FormAct
          {...{
            ...common,
            text: "Reset accounts",
            title: `Reset accounts of ${event}`,
            sure: "Reset",
            says: resetting,
          }}
          {...{ schema: "Reset", draft: `reset of ${event}`, look, send: reset }}
        />
      </div>
      {leaders && (
        <>
          <h2>Leaderboard</h2>
          <p>{count(leaders.traders, "player")}.</p>
          <Table<Trader>
            {...{ title: "Leaderboard", rows: leaders.top, columns: traderColumns, none: "No player yet." }}
            keyOf={({ userId }) => userId}
          />
        </>
      )}
    </>
  );
}

/** The investment game of an event. */
export function GamePage() {
  const { query, route } = useLocation();
  const { event = usualEvent, project } = query;
  const [typed, setTyped] = useState(event);
  const act = useAct();
  const send = async () => route(gamePage(typed.trim() || usualEvent));
  return (
    <>
      <Title text="Investment game" />
      <Sending {...{ act, button: "Show this game", class: "filters", send }}>
        <Line {...{ id: "game", label: "Event of the game", hint: "Its id.", value: typed, set: setTyped }} />
      </Sending>
      <Game key={event} {...{ event, project }} />
    </>
  );
}
