import { useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { Refused } from "../../shared/call.ts";
import { Line } from "../../shared/field.tsx";
import { Said, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { deskPages, personDesk } from "../addresses.ts";
import { change, changeOnce, changeSaying, download, read } from "../calls.ts";
import { useFollowing } from "../following.tsx";
import { FormAct } from "../form-act.tsx";
import { Asking, type DoneProps, fullMoment, moment, money, Run, Section, sayer, Values } from "../parts.tsx";
import { wordsOf } from "../registrations/moves.ts";
import { labelOf } from "../schema.ts";
import { column, figure, Table, when } from "../table.tsx";
import { endOf, isOver, PeopleTabs } from "./accounts.tsx";
import { type ErasurePlan, type Member, partsOf, rowsOf, type User, userLabels } from "./rules.ts";

type Registration = components["schemas"]["Registration"];
type Profile = components["schemas"]["Profile"];

/** A record, or null when there is none. */
const orNone = <T,>(path: string): Promise<T | null> =>
  read<T>(path).catch((problem: unknown) => {
    if (problem instanceof Refused && problem.status === 404) return null;
    throw problem;
  });

interface PartProps extends DoneProps {
  readonly email: string;
}

const Account = ({ email, user, done }: PartProps & { readonly user: User | null }) => (
  <Section title="Account">
    {user ? (
      <Values rows={[...rowsOf(user), ["Executive", user.admin && "Yes"], ["Since", moment(user.createdAt)]]} />
    ) : (
      <p>There is no account with this email.</p>
    )}
    {user && (
      <FormAct
        {...{
          text: "Edit the account",
          title: `Edit the account of ${email}`,
          says: "No mail goes out.",
          sure: "Save",
        }}
        {...{ schema: "UserChanges", draft: `user/${email}`, stored: user, done }}
        look={{ labels: userLabels, hidden: ["isMember"] }}
        send={(body) => change("PATCH", `/users/${encodeURIComponent(email)}`, body)}
      />
    )}
  </Section>
);

const removal =
  "The account stays, without the membership, and so does the profile. No money goes back: refund the payment if it should. The membership can be granted again, but what was entered in it is gone.";

const renewal =
  "The membership gets one more term, and the person a mail. Take cash or a transfer on the page of payments instead. This is possible once the end is near.";

/** @returns what to say of it */
async function renew(body: object, end: number): Promise<string> {
  const { member } = await changeOnce<{ readonly member: Member }>("/members/grant", body);
  const next = endOf(member);
  if (next === end) return "The end is not near, so nothing was changed. Edit the membership to give it another end.";
  return next === undefined ? "The membership has no end any more." : `The membership goes on until ${moment(next)}.`;
}

function Membership({ email, member, done }: PartProps & { readonly member: Member }) {
  const path = `/members/${encodeURIComponent(email)}`;
  const { owes, refunded, createdAt, firstName, lastName } = member;
  const end = endOf(member);
  const owed = [["Owes", owes && money(owes)] as const, ["Money", refunded && "Went back"] as const];
  return (
    <>
      <Values
        rows={[
          ...owed,
          ...rowsOf(member),
          ["Since", moment(createdAt)],
          [end !== undefined && isOver(end) ? "Was a member until" : "Member until", end && moment(end)],
        ]}
      />
      <div class="buttons">
        <FormAct
          {...{ text: "Edit the membership", title: `Edit the membership of ${email}`, sure: "Save", done }}
          says="Name, pronouns, major and year also change in the profile. No mail goes out."
          {...{ schema: "MemberChanges", draft: `member/${email}`, stored: member }}
          send={(body) => change("PATCH", path, body)}
        />
        {end !== undefined && (
          <Asking
            {...{
              text: "Renew without a payment",
              title: `Renew the membership of ${email}?`,
              says: renewal,
              sure: "Renew it",
            }}
            act={async () => done(await renew({ email, firstName, lastName }, end))}
          />
        )}
        <Asking
          {...{ text: "Remove the membership", title: `Remove the membership of ${email}?`, sure: "Remove it" }}
          {...{ says: removal, act: async () => done(await changeSaying("DELETE", path)) }}
        />
      </div>
    </>
  );
}

const columns = [
  column<Registration>("Event", ({ eventID, year }) => `${eventID} ${year}`),
  column<Registration>("State", wordsOf),
  figure<Registration>("Points", ({ points = 0 }) => points),
  when<Registration>("Since", ({ createdAt }) => createdAt),
];

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

const linked =
  "The person gets a mail now. Its link shows all that is stored about them for 72 hours, and they can delete themselves there. Use it when they cannot sign in.";
const forgiving =
  "Seats that the person left empty until now do not count any more. Who waits behind everyone else stays there, unless you give them a seat.";
const moved =
  "A mail asks the new address to confirm. You confirm in place of the former one, and the audit says so. Registrations, membership and money move then.";
const deletion =
  "What stands on this page goes: account, membership, profile. Coming registrations are cancelled, and their money goes back by the event's rules. The person gets a mail. This cannot be undone.";

/** What is stored about the person: given to them, or deleted. */
function PersonsData({ email, done }: PartProps) {
  const [typed, setTyped] = useState("");
  const [next, setNext] = useState("");
  const [shown, setShown] = useState<ErasurePlan>();
  const path = `/users/${encodeURIComponent(email)}`;
  const save = (format: "html" | "json") => () => download(`${path}/export`, { format }, `${email}.${format}`);
  const remove = async () => {
    if (typed.trim().toLowerCase() !== email) {
      throw new Refused(400, { message: "Type the email of the person to delete exactly." });
    }
    setTyped("");
    const message = await changeSaying("DELETE", path);
    setShown(undefined);
    done(message);
  };
  return (
    <Section title="The person's data">
      <p>All that is stored about the person. Each download leaves a line in the audit.</p>
      <div class="buttons">
        <Run {...{ text: "Save as a page", run: save("html") }} />
        <Run {...{ text: "Save as JSON", run: save("json") }} />
        <Asking
          {...{ text: "Mail the person a link", title: `Mail ${email} a link?`, says: linked, sure: "Send the mail" }}
          act={() => changeSaying("POST", `${path}/export-link`)}
        />
        <Asking
          {...{ text: "Give another email", title: `Give ${email} another email?`, says: moved, sure: "Send the mail" }}
          act={async () => done(await changeSaying("POST", `${path}/new-email`, { email: next.trim() }))}
        >
          <Line {...{ id: "next", label: "The new email", value: next, set: setNext }} />
        </Asking>
      </div>
      <h2>Deletion</h2>
      <div class="buttons">
        <Run {...{ text: "Show what a deletion does" }} run={async () => setShown(await read(`${path}/erasure`))} />
      </div>
      {shown && (
        <>
          <Plan plan={shown} />
          <div class="buttons">
            <Asking
              {...{ text: "Delete this person", title: `Delete ${email}?`, says: deletion, sure: "Delete for good" }}
              act={remove}
            >
              <Line {...{ id: "typed", label: "The person's email, to be sure", value: typed, set: setTyped }} />
            </Asking>
          </div>
        </>
      )}
    </Section>
  );
}

/** All about a person, by email. */
export function AccountPage({ email: given }: { readonly email: string }) {
  const email = given.toLowerCase();
  const act = useAct();
  const path = encodeURIComponent(email);
  const person = useLoaded(async () => {
    const [user, member] = await Promise.all([orNone<User>(`/users/${path}`), orNone<Member>(`/members/${path}`)]);
    const { profileID } = member ?? {};
    const profile = profileID && (await orNone<Profile>(`/profiles/profile/${encodeURIComponent(profileID)}`));
    return { user, member, profile };
  }, [email]);
  const registrations = useFollowing<Registration>("/registrations", { email });
  const done = sayer(act, person);
  const { user = null, member, profile } = person.value ?? {};
  return (
    <>
      <Title text={email} />
      <PeopleTabs />
      <Said {...act} />
      <Waiting of={person} />
      {person.value && (
        <div class="columns">
          <Account {...{ email, user, done }} />
          <Section title="Membership">
            {member ? (
              <Membership {...{ email, member, done }} />
            ) : (
              <>
                Not a member. <a href={deskPages.accounts}>Grant a membership</a>
              </>
            )}
          </Section>
          {profile && (
            <Section title="What others see in the profile">
              <Values rows={rowsOf(profile)} />
            </Section>
          )}
        </div>
      )}
      <Section title="Registrations">
        <Table<Registration>
          {...{ title: "Registrations", of: registrations, columns }}
          keyOf={({ eventID, year }) => `${eventID};${year}`}
          pageOf={({ eventID, year }) => personDesk({ id: eventID, year }, email)}
        />
        <p>
          <a href={`${deskPages.money}?q=${path}`}>Payments of {email}</a>
          {" · "}
          <a href={`${deskPages.audit}?email=${path}`}>Changes of these records</a>
        </p>
        <div class="buttons">
          <Asking
            {...{
              text: "Forgive no-shows",
              title: `Forgive the no-shows of ${email}?`,
              says: forgiving,
              sure: "Forgive",
            }}
            act={async () => done(await changeSaying("POST", `/users/${path}/forgive`))}
          />
        </div>
      </Section>
      <PersonsData key={email} {...{ email, done }} />
    </>
  );
}
