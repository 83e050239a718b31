import { useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { Refused } from "../../shared/call.ts";
import { Line } from "../../shared/field.tsx";
import { Said, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { deskPages, personDesk } from "../addresses.ts";
import { change, download, read, readAll } from "../calls.ts";
import { type Answer, FormAct } from "../money/form-act.tsx";
import { column, figure, when } from "../money/lists.tsx";
import { Asking, Download, fullMoment, moment, money, Values } from "../parts.tsx";
import { labelOf } from "../schema.ts";
import { Table } from "../table.tsx";
import { PeopleTabs } from "./accounts.tsx";
import { type ErasurePlan, type Member, partsOf, rowsOf, type User, userLabels } from "./rules.ts";

type Registration = components["schemas"]["Registration"];
type Profile = components["schemas"]["Profile"];

/** A record, or null when there is none. */
const orNone = <T,>(found: Promise<T>): Promise<T | null> =>
  found.catch((problem: unknown) => {
    if (problem instanceof Refused && problem.status === 404) return null;
    throw problem;
  });

interface PartProps {
  readonly email: string;
  done(said: string): unknown;
}

const Account = ({ email, user, done }: PartProps & { readonly user: User | null }) => (
  <section>
    <h2>Account</h2>
    {user ? (
      <Values rows={[...rowsOf(user), ["Executive", user.admin && "Yes"], ["Since", moment(user.createdAt)]]} />
    ) : (
      <p>There is no account with this email.</p>
    )}
    {user && (
      <FormAct
        {...{ text: "Edit the account", title: `Edit the account of ${email}`, sure: "Save", schema: "UserChanges" }}
        {...{ says: "No mail goes out.", draft: `user/${email}`, stored: user, done }}
        look={{ labels: userLabels, hidden: ["isMember"] }}
        send={(body) => change("PATCH", `/users/${encodeURIComponent(email)}`, body)}
      />
    )}
  </section>
);

function Membership({ email, member, done }: PartProps & { readonly member: Member | null }) {
  const path = `/members/${encodeURIComponent(email)}`;
  const heading = <h2>Membership</h2>;
  if (!member) {
    return (
      <section>
        {heading}
        Not a member. <a href={deskPages.accounts}>Grant a membership</a>
      </section>
    );
  }
  const { owes, refunded, createdAt } = member;
  return (
    <section>
      {heading}
      <Values
        rows={[
          ["Owes", owes && money(owes)],
          ["Money", refunded && "Went back"],
          ...rowsOf(member),
          ["Since", moment(createdAt)],
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
          act={async () => done((await change<Required<Answer>>("DELETE", path)).message)}
        >
          <p>
            The account stays, without the membership, and so does the profile. No money goes back: refund the payment
            if it should. The membership can be granted again, but what was entered in it is gone.
          </p>
        </Asking>
      </div>
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
            column("Event", ({ eventID, year }) => `${eventID} ${year}`),
            column("State", ({ registrationStatus }) => labelOf(registrationStatus)),
            figure("Points", ({ points = 0 }) => points),
            when("Since", ({ createdAt }) => createdAt),
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
    const { message } = await change<Required<Answer>>("DELETE", path);
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
          act={async () => (await change<Required<Answer>>("POST", `${path}/export-link`)).message}
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
    const { profileID } = member ?? {};
    const profile = profileID && (await orNone(read<Profile>(`/profiles/profile/${encodeURIComponent(profileID)}`)));
    return { user, member, profile };
  }, [email]);
  const done = (said: string) => {
    act.say(said);
    void person.reload();
  };
  return (
    <>
      <Title text={email} />
      <PeopleTabs />
      <Said {...act} />
      <Waiting of={person} />
      {person.value && (
        <div class="columns">
          <Account {...{ email, user: person.value.user, done }} />
          <Membership {...{ email, member: person.value.member, done }} />
          {person.value.profile && (
            <section>
              <h2>What others see in the profile</h2>
              <Values rows={rowsOf(person.value.profile)} />
            </section>
          )}
        </div>
      )}
      <Registrations email={email} />
      <PersonsData {...{ email, done }} />
    </>
  );
}
