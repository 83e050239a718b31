import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { Line } from "../../shared/field.tsx";
import { Said, Sending, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { deskPages } from "../addresses.ts";
import { change, read, readTagged, type Tagged } from "../calls.ts";
import { FormAct, type FormActProps } from "../money/form-act.tsx";
import { column, figure, minor } from "../money/lists.tsx";
import { count, Values } from "../parts.tsx";
import { Table } from "../table.tsx";
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

async function readProject(id: string): Promise<Tagged<Project>> {
  const { value, tag } = await readTagged<{ readonly data: Project }>(projectPath(id));
  return { value: value.data, tag };
}

interface ProjectProps {
  readonly id: string;
  readonly event: string;
  changed(said: string): unknown;
  gone(said: string): unknown;
}

/** Acts that move a project's price. */
function PriceActs({ id, done }: { readonly id: string; done(said: string): unknown }) {
  const of = (schema: FormActProps["schema"], path: string, field: string) => ({
    ...{ schema, done, draft: `${path}/${id}`, usual: { [field]: id }, look: { labels, hints, hidden: [field] } },
    send: (body: object) => change<{ readonly message: string }>("POST", `/btx/admin/${path}`, body),
  });
  return (
    <div class="buttons">
      <FormAct
        {...of("PhaseBump", "phase-bump", "projectId")}
        {...{ text: "Phase bump", title: "Move the price by a phase", sure: "Move the price" }}
        says="The base price changes at once for all players. Sent twice, it moves twice; another bump can move it back."
      />
      <FormAct
        {...of("Investment", "investment-impact", "teamId")}
        {...{ text: "Investment", title: "Let an investment move the seed", sure: "Move the seed" }}
        says="Each dollar raises the seed by 0.0001, and the price follows at once. Less than 0 takes it back. Sent twice, it counts twice."
      />
      <FormAct
        {...of("Seed", "seed", "projectId")}
        {...{ text: "Seed", title: "Change the seed", sure: "Change the seed" }}
        says="The base price follows the seed at once for all players. Give one of both."
      />
    </div>
  );
}

function OpenProject({ id, event, changed, gone }: ProjectProps) {
  const record = useLoaded(() => readProject(id), [id]);
  const moved = (said: string) => {
    void record.reload();
    changed(said);
  };
  return (
    <OpenRecord<Project>
      {...{ record, changed, gone, titleOf: ({ name, ticker }) => `${name} (${ticker})`, back: gamePage(event) }}
      edit={{
        ...{ schema: "NewProject", says: "Price and shares stay. Players see it at once.", draft: `project/${id}` },
        ...{ look: { labels, hints, hidden: ["projectId", "eventId", "seedAmount"] }, storedOf: (project) => project },
      }}
      removal="It is no longer listed or traded. Its price and its holders stay; saving it again brings it back."
      save={({ projectId, eventId, ticker, name }, changes: { readonly description?: string | null }, tag) =>
        change(
          "POST",
          "/btx/admin/project",
          { projectId, eventId, ticker, name, ...changes, ...(changes.description === null && { description: "" }) },
          tag,
        )
      }
      remove={(_, tag) => change("DELETE", projectPath(id), undefined, tag)}
    >
      {(project) => (
        <>
          <p class="prose">{project.description}</p>
          <Values
            rows={[
              ["Price", dollars(project.currentPrice)],
              ["Base price", dollars(project.basePrice)],
              ["Seed", project.seedAmount],
              ["Shares out", project.netShares],
              ["Trades", `${project.totalTrades}, ${dollars(project.totalVolume)} in all`],
              ["State", project.isActive ? "In the game" : "Out of the game"],
            ]}
          />
          <PriceActs id={id} done={moved} />
        </>
      )}
    </OpenRecord>
  );
}

/** An account more than once: while not all are reset, the request goes on. */
async function reset(body: object): Promise<{ readonly message: string }> {
  for (let accounts = 0; ; ) {
    const { data } = await change<components["schemas"]["ResetDone"]>("POST", "/btx/admin/reset", body);
    accounts += data.accounts;
    if (data.complete) return { message: `${count(accounts, "account")} reset.` };
  }
}

const traderColumns = [
  column<Trader>("Player", ({ userId }) => userId),
  figure<Trader>("Worth", ({ totalValue }) => totalValue, { of: ({ totalValue }) => dollars(totalValue) }),
  figure<Trader>("Made", ({ totalPnl }) => totalPnl, { of: ({ totalPnl }) => dollars(totalPnl) }),
  figure<Trader>("In %", ({ returnPct }) => returnPct, minor),
  figure<Trader>("Projects", ({ positionsCount }) => positionsCount, minor),
];

const projectColumns = [
  column<Project>("Name", ({ name }) => name),
  column<Project>("Ticker", ({ ticker }) => ticker),
  figure<Project>("Price", ({ currentPrice }) => currentPrice, { of: ({ currentPrice }) => dollars(currentPrice) }),
  figure<Project>("Shares out", ({ netShares }) => netShares, minor),
  figure<Project>("Trades", ({ totalTrades }) => totalTrades, minor),
  figure<Project>("Seed", ({ seedAmount }) => seedAmount, minor),
];

/** The projects of an event's game, and who leads. */
function Game({ event, project }: { readonly event: string; readonly project: string | undefined }) {
  const { route } = useLocation();
  const act = useAct();
  const game = useLoaded(async () => {
    const [projects, leaders] = await Promise.all([
      read<{ readonly data: readonly Project[] }>("/btx/projects", { eventId: event }),
      read<{ readonly data: Leaders }>("/btx/leaderboard", { eventId: event }),
    ]);
    return { projects: projects.data, leaders: leaders.data };
  }, [event]);
  const changed = (said: string) => {
    act.say(said);
    void game.reload();
  };
  const gone = (said: string) => {
    changed(said);
    route(gamePage(event));
  };
  const common = { usual: { eventId: event }, done: changed };
  return (
    <>
      <Said {...act} />
      {project && <OpenProject key={project} {...{ id: project, event, changed, gone }} />}
      <h2>Projects</h2>
      <Waiting of={game} />
      {game.value && (
        <Table<Project>
          {...{
            title: "Projects",
            columns: projectColumns,
            rows: game.value.projects,
            none: "No project is in this game.",
          }}
          {...{ keyOf: ({ projectId }) => projectId, pageOf: ({ projectId }) => gamePage(event, projectId) }}
        />
      )}
      <div class="buttons">
        <FormAct
          {...{ ...common, text: "Add a project", title: "Add a project", sure: "Add it", schema: "NewProject" }}
          {...{ says: "Players can trade it at once.", isMain: true, draft: `project of ${event}` }}
          look={{
            labels,
            hidden: ["eventId"],
            hints: { ...hints, projectId: "Letters, digits, - and _. It never changes." },
          }}
          send={(body) => change("POST", "/btx/admin/project", body)}
        />
        <FormAct
          {...{
            ...common,
            text: "Reset accounts",
            title: `Reset accounts of ${event}`,
            sure: "Reset",
            schema: "Reset",
          }}
          says="The account has its starting cash only, and no shares; old trades stay listed. Without an email, all accounts of this game are reset. This cannot be undone."
          {...{ draft: `reset of ${event}`, look: { labels, hidden: ["eventId"] }, send: reset }}
        />
      </div>
      {game.value && (
        <>
          <h2>Leaderboard</h2>
          <p>{count(game.value.leaders.traders, "player")}.</p>
          <Table<Trader>
            {...{ title: "Leaderboard", rows: game.value.leaders.top, columns: traderColumns, none: "No player yet." }}
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
  const { event = usualEvent, project } = query as { readonly event?: string; readonly project?: string };
  const [typed, setTyped] = useState(event);
  const act = useAct();
  return (
    <>
      <Title text="Investment game" />
      <Sending
        act={act}
        button="Show this game"
        class="filters"
        send={async () => route(gamePage(typed.trim() || usualEvent))}
      >
        <Line {...{ id: "game", label: "Event of the game", hint: "Its id.", value: typed, set: setTyped }} />
      </Sending>
      <Game key={event} {...{ event, project }} />
    </>
  );
}
