import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Line } from "../../shared/field.tsx";
import { Said, Title, useAct } from "../../shared/parts.tsx";
import { accountDesk, deskPages } from "../addresses.ts";
import { change, changeOnce } from "../calls.ts";
import { type Following, Progress, useFollowing } from "../money/following.tsx";
import { FormAct } from "../money/form-act.tsx";
import { moment, money, Tag } from "../parts.tsx";
import { Table } from "../table.tsx";
import type { Member, User } from "./rules.ts";

const shows = [
  ["accounts", "Accounts", deskPages.accounts],
  ["members", "Members", `${deskPages.accounts}?show=members`],
  ["audit", "Who changed what", deskPages.audit],
] as const;

/** The pages about people. */
export const PeopleTabs = ({ here }: { readonly here: (typeof shows)[number][0] }) => (
  <nav class="tabs" aria-label="People">
    {shows.map(([name, text, page]) => (
      <a key={name} href={page} aria-current={here === name ? "page" : undefined}>
        {text}
      </a>
    ))}
  </nav>
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

const labels = { fname: "First name", lname: "Last name", studentId: "Student number", isMember: "Is a member" };
const nameOf = (...names: readonly (string | undefined)[]): string => names.filter(Boolean).join(" ");
const none = "Nobody was found.";

const UserTable = ({ of: { rows } }: { readonly of: Following<User> }) => (
  <Table<User>
    {...{ title: "Accounts", rows, none, keyOf: ({ email }) => email, pageOf: ({ email }) => accountDesk(email) }}
    columns={[
      { title: "Email", of: ({ email }) => email, by: ({ email }) => email },
      { title: "Name", of: ({ fname, lname }) => nameOf(fname, lname), by: ({ fname, lname }) => nameOf(lname, fname) },
      {
        title: "Member",
        of: ({ isMember }) => (isMember ? <Tag text="Member" kind="good" /> : ""),
        by: ({ isMember }) => Number(isMember),
      },
      { title: "Faculty", of: ({ faculty = "" }) => faculty, by: ({ faculty = "" }) => faculty, isMinor: true },
      { title: "Year", of: ({ year = "" }) => year, by: ({ year = "" }) => year, isMinor: true },
      { title: "Since", of: ({ createdAt }) => moment(createdAt), by: ({ createdAt }) => createdAt, isMinor: true },
    ]}
  />
);

const MemberTable = ({ of: { rows } }: { readonly of: Following<Member> }) => (
  <Table<Member>
    {...{ title: "Members", rows, none, keyOf: ({ email }) => email, pageOf: ({ email }) => accountDesk(email) }}
    columns={[
      { title: "Email", of: ({ email }) => email, by: ({ email }) => email },
      {
        title: "Name",
        of: ({ firstName, lastName }) => nameOf(firstName, lastName),
        by: ({ firstName, lastName }) => nameOf(lastName, firstName),
      },
      {
        title: "Money",
        of: ({ owes, refunded }) =>
          refunded ? <Tag text="Refunded" kind="bad" /> : owes ? <Tag text={`Owes ${money(owes)}`} kind="bad" /> : "",
        by: ({ owes = 0, refunded }) => (refunded ? -1 : owes),
      },
      {
        title: "Education",
        of: ({ education = "" }) => education,
        by: ({ education = "" }) => education,
        isMinor: true,
      },
      { title: "Faculty", of: ({ faculty = "" }) => faculty, by: ({ faculty = "" }) => faculty, isMinor: true },
      { title: "Since", of: ({ createdAt }) => moment(createdAt), by: ({ createdAt }) => createdAt, isMinor: true },
    ]}
  />
);

/** Accounts and members: search, create, grant. */
export function AccountsPage() {
  const { query } = useLocation();
  const isMembers = (query as { readonly show?: string }).show === "members";
  const [text, setText] = useState("");
  const q = useSettled(text) || undefined;
  const act = useAct();
  const users = useFollowing(isMembers ? undefined : "/users", { q }, (rows: readonly User[]) => rows, atOnce);
  const members = useFollowing(isMembers ? "/members" : undefined, { q }, (rows: readonly Member[]) => rows, atOnce);
  const done = (said: string) => {
    act.say(said);
    users.reload();
    members.reload();
  };
  return (
    <>
      <Title text="People" />
      <PeopleTabs here={isMembers ? "members" : "accounts"} />
      <div class="filters">
        <Line
          {...{ id: "q", label: "Search", value: text, set: setText }}
          hint="How a first name, a last name, both, or an email begins."
        />
      </div>
      {isMembers ? (
        <>
          <Progress of={members} one="member" />
          <MemberTable of={members} />
        </>
      ) : (
        <>
          <Progress of={users} one="account" />
          <UserTable of={users} />
        </>
      )}
      <Said {...act} />
      <div class="buttons">
        <FormAct
          {...{ text: "Create an account", title: "Create an account", sure: "Create it", schema: "NewUser", done }}
          says="The account stands here at once. The person sets a password by the sign-up with the same email; no mail goes out."
          {...{ draft: "user", look: { labels, hidden: ["id", "isMember"] } }}
          send={(body) => change("POST", "/users", body)}
        />
        <FormAct
          {...{ text: "Grant a membership", title: "Grant a membership", sure: "Grant it", schema: "NewMember", done }}
          says="Account, membership and profile are made at once, without a payment. What the person has entered before stays. A membership can be removed again."
          {...{ draft: "member", look: { hidden: ["id", "cardCount"] } }}
          send={(body) => changeOnce("/members/grant", body)}
        />
      </div>
    </>
  );
}
