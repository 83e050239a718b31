import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { now } from "../../shared/clock.ts";
import { Line } from "../../shared/field.tsx";
import { Said, Title, useAct } from "../../shared/parts.tsx";
import { accountDesk, deskPages } from "../addresses.ts";
import { change, changeOnce } from "../calls.ts";
import { Progress, useFollowing } from "../following.tsx";
import { FormAct } from "../form-act.tsx";
import { money, Select, sayer, Tabs, Tag } from "../parts.tsx";
import { column, minor, Table, when } from "../table.tsx";
import { type Member, type User, userLabels } from "./rules.ts";

const membersPage = `${deskPages.accounts}?show=members`;

const tabs = [
  ...[["Accounts", deskPages.accounts] as const, ["Members", membersPage] as const],
  ["From a table", deskPages.table] as const,
  ["Who changed what", deskPages.audit] as const,
];

/** The pages about people. */
export const PeopleTabs = ({ here = deskPages.accounts }: { readonly here?: string }) => (
  <Tabs {...{ here, label: "People", pages: tabs }} />
);

/** Milliseconds without a key before it is searched. */
const pause = 300;
/** Rows that are read at once. */
const atOnce = 200;

/** A text, once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** An account, or a membership. */
export type Person = Pick<User, "email" | "createdAt"> & Partial<User & Member>;

/** When the membership ends or has ended. Epoch milliseconds; undefined: never, or there is none. */
export const endOf = ({ until, memberUntil = until }: Person): number | undefined =>
  memberUntil === undefined ? undefined : Date.parse(memberUntil);

export const isOver = (end: number): boolean => end < now();

const nameOf = ({ fname, lname, firstName = fname, lastName = lname }: Person): string =>
  [firstName, lastName].filter(Boolean).join(" ");

function stateOf(person: Person): string {
  const { isMember, refunded, owes } = person;
  if (refunded) return "Refunded";
  if (owes) return `Owes ${money(owes)}`;
  if (isMember) return "Member";
  const end = endOf(person);
  return end === undefined ? "" : isOver(end) ? "Former" : "Member";
}
const State = (person: Person) => {
  const state = stateOf(person);
  return state && <Tag text={state} kind={state === "Member" ? "good" : state === "Former" ? "" : "bad"} />;
};

const columns = [
  column<Person>("Email", ({ email }) => email),
  column<Person>("Name", nameOf),
  column<Person>("State", stateOf, { of: State }),
  column<Person>("Faculty", ({ faculty }) => faculty, minor),
  column<Person>("Year", ({ year }) => year, minor),
  when<Person>("Since", ({ createdAt }) => createdAt),
  when<Person>("Until", (person) => endOf(person)),
];

/** Accounts and members: search, create, grant. */
export function AccountsPage() {
  const { query } = useLocation();
  const isMembers = (query as { readonly show?: string }).show === "members";
  const [text, setText] = useState("");
  const [state, setState] = useState("");
  const q = useSettled(text) || undefined;
  const act = useAct();
  const path = isMembers ? "/members" : "/users";
  const only = isMembers && state !== "" ? { state } : {};
  const people = useFollowing<Person>(path, { q, ...only }, { atOnce });
  const done = sayer(act, people);
  return (
    <>
      <Title text="People" />
      <PeopleTabs here={isMembers ? membersPage : deskPages.accounts} />
      <div class="filters">
        <Line
          {...{ id: "q", label: "Search", value: text, set: setText }}
          hint="How a first name, a last name, both, or an email begins."
        />
        {isMembers && (
          <Select
            {...{ id: "state", label: "Memberships", value: state, set: setState, none: "Current and former" }}
            choices={[
              ["current", "Current"],
              ["former", "Former"],
            ]}
          />
        )}
      </div>
      <Progress of={people} one={isMembers ? "member" : "account"} />
      <Table<Person>
        {...{ title: "People", rows: people.rows, columns, none: people.isWhole ? "No person was found." : "" }}
        {...{ keyOf: ({ email }) => email, pageOf: ({ email }) => accountDesk(email) }}
      />
      <Said {...act} />
      <div class="buttons">
        <FormAct
          {...{ text: "Create an account", sure: "Create it", schema: "NewUser", done }}
          says="The account stands here at once. The person sets a password by the sign-up with the same email; no mail goes out."
          {...{ draft: "user", look: { labels: userLabels, hidden: ["id", "isMember"] } }}
          send={(body) => change("POST", "/users", body)}
        />
        <FormAct
          {...{ text: "Grant a membership", sure: "Grant it", schema: "NewMember", done }}
          says="Account, membership and profile are made at once, without a payment. What the person has entered before stays. A membership can be removed again."
          {...{ draft: "member", look: { hidden: ["id", "cardCount"] } }}
          send={(body) => changeOnce("/members/grant", body)}
        />
      </div>
    </>
  );
}
