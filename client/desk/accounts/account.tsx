import { useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { Refused } from "../../shared/call.ts";
import { Line } from "../../shared/field.tsx";
import { Said, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { deskPages, personDesk } from "../addresses.ts";
import { change, download, read, readAll } from "../calls.ts";
import { FormAct } from "../money/form-act.tsx";
import { Asking, Download, fullMoment, moment, money, Tag, Values } from "../parts.tsx";
import { labelOf } from "../schema.ts";
import { Table } from "../table.tsx";
import { PeopleTabs } from "./accounts.tsx";
import { type ErasurePlan, type Member, partsOf, type User } from "./rules.ts";

type Registration = components["schemas"]["Registration"];
type Profile = components["schemas"]["Profile"];

/** A record, or null when there is none. */
const orNone = <T,>(found: Promise<T>): Promise<T | null> =>
  found.catch((problem: unknown) => {
    if (problem instanceof Refused && problem.status === 404) return null;
    throw problem;
  });

const labels: Readonly<Record<string, string>> = {
  fname: "First name",
  lname: "Last name",
  studentId: "Student number",
  isMember: "Is a member",
};

/** Rows of a record for people: not its ids, lists without anything, or what has words of its own. */
const silent = new Set([
  "id",
  "email",
  "admin",
  "isMember",
  "createdAt",
  "updatedAt",
  "profileID",
  "owes",
  "refunded",
  "compositeID",
  "type",
]);
const rowsOf = (record: object): readonly (readonly [string, string])[] =>
  Object.entries(record as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    if (silent.has(name) || name.includes(";") || (Array.isArray(value) && value.length === 0)) return [];
    const text =
      typeof value === "boolean" ? (value ? "Yes" : "No") : Array.isArray(value) ? value.join(", ") : `${value}`;
    return typeof value === "object" && !Array.isArray(value) ? [] : [[labels[name] ?? labelOf(name), text] as const];
  });

interface PartProps {
  readonly email: string;
  done(said: string): unknown;
}

function Account({ email, user, done }: PartProps & { readonly user: User | null }) {
  if (!user) return <p>There is no account with this email.</p>;
  return (
    <>
      <Values
        rows={[
          ...rowsOf(user),
          ["Executive", user.admin && <Tag text="Has an address of the club" />],
          ["Since", moment(user.createdAt)],
          ["Changed", moment(user.updatedAt)],
        ]}
      />
      <div class="buttons">
        <FormAct
          {...{ text: "Edit the account", title: `Edit the account of ${email}`, sure: "Save", schema: "UserChanges" }}
          {...{ says: "No mail goes out.", draft: `user/${email}`, stored: user, done }}
          look={{ labels, hidden: ["isMember"] }}
          send={(body) => change("PATCH", `/users/${encodeURIComponent(email)}`, body)}
        />
      </div>
    </>
  );
}

function Membership({ email, member, done }: PartProps & { readonly member: Member | null }) {
  const path = `/members/${encodeURIComponent(email)}`;
  if (!member) {
    return (
      <p>
        Not a member. <a href={`${deskPages.accounts}?show=members`}>Grant a membership</a>
      </p>
    );
  }
  return (
    <>
      <Values
        rows={[
          ["Owes", member.owes && money(member.owes)],
          ["Money", member.refunded && <Tag text="Refunded" kind="bad" />],
          ...rowsOf(member),
          ["Since", moment(member.createdAt)],
        ]}
      />
      <div class="buttons">
        <FormAct
          {...{ text: "Edit the membership", title: `Edit the membership of ${email}`, sure: "Save", done }}
          {...{ schema: "MemberChanges", draft: `member/${email}`, stored: member }}
          says="Name, pronouns, major and year also change in the profile. No mail goes out."
          send={(body) => change("PATCH", path, body)}
        />
        <Asking
          {...{ text: "Remove the membership", title: `Remove the membership of ${email}?`, sure: "Remove it" }}
          act={async () => done((await change<{ readonly message: string }>("DELETE", path)).message)}
        >
          <p>
            The account stays, without the membership, and so does the profile. No money goes back: refund the payment
            if it should. The membership can be granted again, but what was entered in it is gone.
          </p>
        </Asking>
      </div>
    </>
  );
}

/** What others see of the person. */
function ProfileOf({ profileID }: { readonly profileID: string }) {
  const profile = useLoaded(
    () => orNone(read<Profile>(`/profiles/profile/${encodeURIComponent(profileID)}`)),
    [profileID],
  );
  return (
    <section>
      <h2>Profile {profileID}</h2>
      <Waiting of={profile} />
      {profile.value && <Values rows={rowsOf(profile.value)} />}
    </section>
  );
}

function Registrations({ email }: { readonly email: string }) {
  const registrations = useLoaded(
    () => readAll("/registrations", { email }, ({ data }: { readonly data: readonly Registration[] }) => data),
    [email],
  );
  return (
    <section>
      <h2>Registrations</h2>
      <Waiting of={registrations} />
      {registrations.value && (
        <Table<Registration>
          {...{ title: "Registrations", rows: registrations.value, none: "None." }}
          keyOf={({ eventID, year }) => `${eventID};${year}`}
          pageOf={({ eventID, year }) => personDesk({ id: eventID, year }, email)}
          columns={[
            { title: "Event", of: ({ eventID, year }) => `${eventID} ${year}`, by: ({ eventID }) => eventID },
            { title: "State", of: (one) => labelOf(one.registrationStatus), by: (one) => one.registrationStatus },
            { title: "Points", of: ({ points }) => points, by: ({ points = 0 }) => points, isNumber: true },
            {
              title: "Since",
              of: ({ createdAt }) => moment(createdAt),
              by: ({ createdAt }) => createdAt,
              isMinor: true,
            },
          ]}
        />
      )}
      <p>
        <a href={`${deskPages.money}?q=${encodeURIComponent(email)}`}>Payments of {email}</a>
        {" · "}
        <a href={`${deskPages.audit}?email=${encodeURIComponent(email)}`}>Changes of these records</a>
      </p>
    </section>
  );
}

function Plan({ plan }: { readonly plan: ErasurePlan }) {
  const later = plan.endsAt === undefined ? "" : fullMoment(new Date(plan.endsAt).toISOString());
  return (
    <>
      {plan.deletedAt !== undefined && <p class="notice">Was deleted already: {moment(plan.deletedAt)}.</p>}
      {partsOf(plan, later).map(([title, items]) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul>
            {items.map(({ kind, items: number, why, until }) => (
              <li key={kind}>
                {labelOf(kind)} ({number}){why && `: ${why}`}
                {until && ` Until: ${until}`}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <h3>Elsewhere</h3>
      <Values rows={Object.entries(plan.elsewhere).map(([where, what]) => [labelOf(where), what])} />
    </>
  );
}

/** What is stored about the person: given to them, or deleted. */
function PersonsData({ email, done }: PartProps) {
  const act = useAct();
  const [typed, setTyped] = useState("");
  const [shown, setShown] = useState<ErasurePlan>();
  const path = `/users/${encodeURIComponent(email)}`;
  const load = async () => setShown(await read<ErasurePlan>(`${path}/erasure`));
  const save = (format: "html" | "json") => () => download(`${path}/export`, { format }, `${email}.${format}`);
  const remove = async () => {
    if (typed.trim().toLowerCase() !== email) {
      throw new Refused(400, { message: "Type the email of the person to delete exactly." });
    }
    setTyped("");
    const { message } = await change<{ readonly message: string }>("DELETE", path);
    setShown(undefined);
    done(message);
  };
  return (
    <section>
      <h2>The person's data</h2>
      <p>All that is stored about the person. Each download leaves a line in the audit.</p>
      <div class="buttons">
        <Download {...{ act, text: "Save as a page", load: save("html") }} />
        <Download {...{ act, text: "Save as JSON", load: save("json") }} />
        <Asking
          {...{ text: "Mail the person a link", title: `Mail ${email} a link?`, sure: "Send the mail" }}
          act={async () => (await change<{ readonly message: string }>("POST", `${path}/export-link`)).message}
        >
          <p>
            The person gets a mail now. Its link shows all that is stored about them for 72 hours, and they can delete
            themselves there. Use it when they cannot sign in.
          </p>
        </Asking>
      </div>
      <Said {...act} />
      <h2>Deletion</h2>
      <div class="buttons">
        <Download {...{ act, text: "Show what a deletion does", load }} />
      </div>
      {shown && (
        <>
          <Plan plan={shown} />
          <div class="buttons">
            <Asking
              {...{ text: "Delete this person", title: `Delete ${email}?`, sure: "Delete for good", act: remove }}
            >
              <p>
                What stands on this page goes: account, membership, profile. Coming registrations are cancelled, and
                their money goes back by the event's rules. The person gets a mail. This cannot be undone.
              </p>
              <Line {...{ id: "typed", label: "The person's email, to be sure", value: typed, set: setTyped }} />
            </Asking>
          </div>
        </>
      )}
    </section>
  );
}

/** All about a person, by email. */
export function AccountPage({ email: given }: { readonly email: string }) {
  const email = given.toLowerCase();
  const act = useAct();
  const path = encodeURIComponent(email);
  const person = useLoaded(async () => {
    const [user, member] = await Promise.all([
      orNone(read<User>(`/users/${path}`)),
      orNone(read<Member>(`/members/${path}`)),
    ]);
    return { user, member };
  }, [email]);
  const done = (said: string) => {
    act.say(said);
    void person.reload();
  };
  const { user, member } = person.value ?? {};
  return (
    <>
      <Title text={email} />
      <PeopleTabs here="accounts" />
      <Said {...act} />
      <Waiting of={person} />
      {person.value && (
        <div class="columns">
          <section>
            <h2>Account</h2>
            <Account {...{ email, user: user ?? null, done }} />
          </section>
          <section>
            <h2>Membership</h2>
            <Membership {...{ email, member: member ?? null, done }} />
          </section>
        </div>
      )}
      {member?.profileID && <ProfileOf profileID={member.profileID} />}
      <Registrations email={email} />
      <PersonsData {...{ email, done }} />
    </>
  );
}
