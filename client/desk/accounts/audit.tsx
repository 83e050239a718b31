import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { now } from "../../shared/clock.ts";
import { Line } from "../../shared/field.tsx";
import { Press, Title } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { accountDesk, deskPages, type EventKey } from "../addresses.ts";
import { Progress, useFollowing } from "../following.tsx";
import { monthAt, monthBeside } from "../money/times.ts";
import { Day, EventSelect, moment, SaveTable } from "../parts.tsx";
import { PeopleTabs } from "./accounts.tsx";
import { actionText, changeLines, type Entry, groupsOf, subjectText } from "./rules.ts";

interface Filter {
  readonly event?: EventKey | undefined;
  readonly email: string;
  readonly actor: string;
  readonly from: string;
}

const queryOf = ({ event, email, actor, from }: Filter) => ({
  ...(event && { eventID: event.id, year: event.year }),
  ...{ email: email.trim() || undefined, actor: actor.trim() || undefined, from: from || undefined },
});

/** Entries that are read at once. */
const atOnce = 100;

const Change = ({ entry }: { readonly entry: Entry }) => (
  <li>
    {actionText(entry.action)}
    {subjectText(entry) && " · "}
    {entry.email ? <a href={accountDesk(entry.email)}>{subjectText(entry)}</a> : subjectText(entry)}
    {entry.reason && ` · ${entry.reason}`}
    <ul>
      {changeLines(entry, moment).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </li>
);

/** Who changed what, newest first. */
export function AuditPage() {
  const { query } = useLocation();
  const { email = "" } = query as { readonly email?: string };
  const recent = `${monthBeside(monthAt(now(), settings.timeZone), -1)}-01`;
  const [filter, setFilter] = useState<Filter>({ event: undefined, email, actor: "", from: recent });
  /** What is asked for: once the person says so, for a request reads days. */
  const [asked, setAsked] = useState(filter);
  const audit = useFollowing<Entry>("/audit", queryOf(asked), { atOnce });
  const set = (part: Partial<Filter>) => setFilter({ ...filter, ...part });
  return (
    <>
      <Title text="Who changed what" />
      <PeopleTabs here={deskPages.audit} />
      <div class="filters">
        <EventSelect
          {...{ id: "event", label: "Event", none: "All events", chosen: filter.event }}
          choose={(event) => set({ event })}
        />
        <Line
          {...{ id: "email", label: "Whose records", type: "email", required: false, value: filter.email }}
          set={(text) => set({ email: text })}
        />
        <Line
          {...{ id: "actor", label: "Changed by", required: false, value: filter.actor }}
          set={(actor) => set({ actor })}
        />
        <Day id="from" label="Since" value={filter.from} set={(from) => set({ from })} />
        <div class="buttons">
          <Press text="Show" onPress={() => setAsked(filter)} />
        </div>
      </div>
      <p class="minor">Changes are kept for 400 days. Of personal and long fields only the names are kept.</p>
      <Progress of={audit} one="change" />
      {groupsOf(audit.rows).map(({ requestId, at, actor, entries }) => (
        <section class="item" key={requestId}>
          <h2>
            {moment(at)}, {actor}
          </h2>
          <ul>
            {entries.map((entry, index) => (
              <Change key={String(index)} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {audit.rows.length > 0 && <Progress of={audit} one="change" />}
      <div class="buttons">
        <SaveTable {...{ path: "/audit", query: queryOf(asked), file: "audit.csv" }} />
      </div>
    </>
  );
}
