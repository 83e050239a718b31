/** What is stored about a person, what a deletion would do, and the deletion. */
import { useState } from "preact/hooks";
import { dataPage, lostPage, signInPage } from "./addresses.ts";
import { ask, fetched } from "./api.ts";
import { momentText } from "./dates.ts";
import { saveFile } from "./files.ts";
import { Button, Focused, Said, Title, useAct, Way } from "./parts.tsx";
import { account, signOut } from "./session.ts";
import { settings } from "./settings.ts";
import { forget } from "./store.ts";
import { texts } from "./texts.ts";
import type { ErasurePlan } from "./types.ts";

const words = texts.data;

/** Where a person's data is asked for: by a mail's link, or signed in. */
interface Door {
  readonly who: { readonly link: string } | { readonly signed: true };
  readonly exportPath: string;
  readonly planPath: string;
  erase(): Promise<unknown>;
}

const doorOf = (link: string | undefined): Door =>
  link === undefined
    ? {
        who: { signed: true },
        exportPath: "/users/self/export",
        planPath: "/users/self/erasure",
        erase: () => ask("/users/self", { method: "DELETE", signed: true }),
      }
    : {
        who: { link },
        exportPath: "/links/export",
        planPath: "/links/erasure",
        erase: () => ask("/links/erasure", { method: "POST", link, body: {} }),
      };

type Planned = ErasurePlan["goes"];

function Part({ title, rows }: { readonly title: string; readonly rows: Planned }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {rows.map(({ kind, items, why, until }) => (
          <li key={kind}>
            {kind}: {items}
            {why && <span class="note">{why}</span>}
            {until && <span class="note">{until}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

function Plan({ plan }: { readonly plan: ErasurePlan }) {
  const { deletedAt, endsAt, elsewhere } = plan;
  const time = (at: number): string => momentText(at, settings.timeZone);
  const others = Object.entries(elsewhere);
  return (
    <>
      {deletedAt !== undefined && <p class="notice">{words.deletedAt(time(deletedAt))}</p>}
      <Part title={words.goes} rows={plan.goes} />
      <Part title={words.isEmptied} rows={plan.isEmptied} />
      <Part title={words.goesLater(endsAt === undefined ? "" : time(endsAt))} rows={plan.goesLater} />
      <Part title={words.isRenamed} rows={plan.isRenamed} />
      <Part title={words.stays} rows={plan.stays} />
      {others.length > 0 && (
        <>
          <h3>{words.elsewhere}</h3>
          <ul>
            {others.map(([what, why]) => (
              <li key={what}>
                {what}
                <span class="note">{why}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Nothing is asked before a button is pressed: each copy leaves a row in the audit. */
function Export({ door }: { readonly door: Door }) {
  const act = useAct();
  const save = (format: "html" | "json") => () =>
    act.run(async () => {
      const file = await fetched(`${door.exportPath}?format=${format}`, door.who);
      saveFile(await file.blob(), `personal-data.${format}`);
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
      <Said text={act.said} isProblem={act.isProblem} />
    </section>
  );
}

function Erasure({ door, onErased }: { readonly door: Door; onErased(): void }) {
  const act = useAct();
  const [plan, setPlan] = useState<ErasurePlan>();
  const [isAsked, setAsked] = useState(false);
  const show = () =>
    act.run(async () => {
      setPlan(await ask<ErasurePlan>(door.planPath, door.who));
    });
  const erase = () =>
    act.run(async () => {
      await door.erase();
      onErased();
    });
  return (
    <section class="panel">
      <h2>{words.erase}</h2>
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
      <Said text={act.said} isProblem={act.isProblem} />
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
          <Way to={lostPage} text={words.askLink} isMain />
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
      <Erasure door={door} onErased={erased} />
    </>
  );
}

/** The page at its own address: with a link's secret, or signed in. */
export function MyDataPage() {
  const [secret] = location.hash.slice(1).split("/");
  return <DataPage {...(secret && { link: secret })} />;
}
