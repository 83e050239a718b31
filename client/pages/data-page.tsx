/** What is stored about a person, what a deletion would do, and the deletion. */
import { useState } from "preact/hooks";
import { dataPage, lostPage, signInPage } from "../shared/addresses.ts";
import { ask, fetched } from "../shared/api.ts";
import { momentText } from "../shared/dates.ts";
import { Button, Focused, Said, Title, useAct, Way } from "../shared/parts.tsx";
import { account, signOut } from "../shared/session.ts";
import { settings } from "../shared/settings.ts";
import { forget } from "../shared/store.ts";
import { texts } from "../shared/texts.ts";
import type { ErasurePlan } from "../shared/types.ts";
import { saveFile } from "./files.ts";
import { AskForNewEmail } from "./new-email.tsx";

const words = texts.data;

/** Where a person's data is asked for: by a mail's link, or signed in. */
const doorOf = (link: string | undefined) => {
  const who = link === undefined ? { signed: true } : { link };
  const base = link === undefined ? "/users/self" : "/links";
  return {
    copy: (format: string) => fetched(`${base}/export?format=${format}`, who),
    plan: () => ask<ErasurePlan>(`${base}/erasure`, who),
    erase: () =>
      link === undefined
        ? fetched(base, { method: "DELETE", ...who })
        : fetched(`${base}/erasure`, { method: "POST", body: {}, ...who }),
  };
};
type Door = ReturnType<typeof doorOf>;

interface PartProps {
  readonly title: string;
  /** What, and notes about it. */
  readonly rows: readonly (readonly [what: string, ...notes: (string | undefined)[]])[];
}

const Part = ({ title, rows }: PartProps) =>
  rows.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <ul>
        {rows.map(([what, ...notes]) => (
          <li key={what}>
            {what}
            {notes.map((note) => note && <span class="note">{note}</span>)}
          </li>
        ))}
      </ul>
    </>
  );

const time = (at: number | undefined): string => (at === undefined ? "" : momentText(at, settings.timeZone));
const rowsOf = (part: ErasurePlan["goes"]) =>
  part.map(({ kind, items, why, until }) => [`${kind}: ${items}`, why, until] as const);

const Plan = ({ plan }: { readonly plan: ErasurePlan }) => (
  <>
    {plan.deletedAt !== undefined && <p class="notice">{words.deletedAt(time(plan.deletedAt))}</p>}
    <Part title={words.goes} rows={rowsOf(plan.goes)} />
    <Part title={words.isEmptied} rows={rowsOf(plan.isEmptied)} />
    <Part title={words.goesLater(time(plan.endsAt))} rows={rowsOf(plan.goesLater)} />
    <Part title={words.isRenamed} rows={rowsOf(plan.isRenamed)} />
    <Part title={words.stays} rows={rowsOf(plan.stays)} />
    <Part title={words.elsewhere} rows={Object.entries(plan.elsewhere)} />
  </>
);

/** Nothing is asked before a button is pressed: each copy leaves a row in the audit. */
function Export({ door }: { readonly door: Door }) {
  const act = useAct();
  const save = (format: "html" | "json") => () =>
    act.run(async () => {
      saveFile(await (await door.copy(format)).blob(), `personal-data.${format}`);
      return words.saved;
    });
  return (
    <section class="panel">
      <h2>{words.export}</h2>
      <p>{words.exportText}</p>
      <div class="buttons">
        <Button act={act} onPress={save("html")} isMain text={words.page} />
        <Button act={act} onPress={save("json")} text={words.json} />
      </div>
      <Said {...act} />
    </section>
  );
}

function Erasure({ door, onErased }: { readonly door: Door; onErased(): void }) {
  const act = useAct();
  const [plan, setPlan] = useState<ErasurePlan>();
  const [isAsked, setAsked] = useState(false);
  const show = () => act.run(async () => setPlan(await door.plan()));
  const erase = () => act.run(async () => door.erase().then(onErased));
  return (
    <section class="panel">
      <Focused text={words.erase} when={plan !== undefined && !isAsked} />
      {plan ? <Plan plan={plan} /> : <p>{words.eraseText}</p>}
      {isAsked && (
        <>
          <Focused text={words.question} />
          <p>{words.questionText}</p>
        </>
      )}
      <div class="buttons">
        {!plan && <Button act={act} onPress={show} text={words.plan} />}
        {plan && !isAsked && <Button act={act} onPress={() => setAsked(true)} text={words.erase} />}
        {isAsked && (
          <>
            <Button act={act} onPress={erase} isMain text={words.yes} />
            <Button act={act} onPress={() => setAsked(false)} text={texts.site.back} />
          </>
        )}
      </div>
      <Said {...act} />
    </section>
  );
}

/** @param link of a mail; absent: of who is signed in */
export function DataPage({ link }: { readonly link?: string }) {
  const [isErased, setErased] = useState(false);
  const { email } = account.value ?? {};
  const erased = () => {
    forget("");
    setErased(true);
    if (account.peek()) void signOut();
  };
  if (isErased) {
    return (
      <>
        <Title text={words.deleted} />
        <p>{words.deletedText}</p>
      </>
    );
  }
  if (link === undefined && !email) {
    return (
      <>
        <Title text={words.title} />
        <p>{words.needs}</p>
        <div class="buttons">
          <Way to={lostPage} text={words.askLink} kind="main" />
          <Way to={signInPage(dataPage)} text={texts.site.signIn} />
        </div>
      </>
    );
  }
  const door = doorOf(link);
  return (
    <>
      <Title text={words.title} />
      {link === undefined && email && <p>{words.of(email)}</p>}
      <Export door={door} />
      {link === undefined && <AskForNewEmail />}
      <Erasure door={door} onErased={erased} />
    </>
  );
}

/** The page at its own address: with a link's secret, or signed in. */
export function MyDataPage() {
  const [secret] = location.hash.slice(1).split("/");
  return <DataPage {...(secret && { link: secret })} />;
}
