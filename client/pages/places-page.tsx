/** What the links of mails lead to, and the list of one's places. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { dataPage, linkedPlace, lostPage, ownPlace, placesPage, signInPage } from "../shared/addresses.ts";
import { ask, askKeeping, askOnce, readOwn } from "../shared/api.ts";
import { now } from "../shared/clock.ts";
import { isPast, momentText, whenText } from "../shared/dates.ts";
import { AskSignIn, Button, Offline, Said, Title, useAct, useLoaded, Waiting } from "../shared/parts.tsx";
import { account } from "../shared/session.ts";
import { settings } from "../shared/settings.ts";
import { keep, keptKeys, readKept, type Seen } from "../shared/store.ts";
import { texts } from "../shared/texts.ts";
import type { OwnAccount, Place } from "../shared/types.ts";
import { DataPage } from "./data-page.tsx";
import { FeedbackByLink, OwnFeedback } from "./feedback.tsx";
import { GuestPage } from "./guest.tsx";
import { ConfirmNewEmail } from "./new-email.tsx";
import { OnePlace } from "./place.tsx";
import { byLink, eventOf, ofAccount, payingKey } from "./place-source.ts";
import { atTime, standingOf } from "./standing.ts";

const words = texts.place;

/** The fragment of the address. Another link may be opened in the same tab. */
function useFragment(): string {
  const { url } = useLocation();
  const [, draw] = useState(0);
  useEffect(() => {
    const next = () => draw((count) => count + 1);
    addEventListener("hashchange", next);
    return () => removeEventListener("hashchange", next);
  }, [url]);
  return location.hash.slice(1);
}

interface Row {
  readonly href: string;
  readonly ename: string;
  readonly when: string;
  readonly standing: string;
}

const Rows = ({ rows }: { readonly rows: readonly Row[] }) => (
  <ul class="rows">
    {rows.map(({ href, ename, when, standing }) => (
      <li key={href} class="card card-text">
        <div>
          <h3>
            <a href={href}>{ename}</a>
          </h3>
          <p class="minor">{when}</p>
          <p>{standing}</p>
        </div>
      </li>
    ))}
  </ul>
);

/** What was opened by links on this device. */
const keptRows = (): Row[] =>
  keptKeys("place/").flatMap((secret) => {
    const place = readKept<Seen<Place>>(`place/${secret}`)?.value;
    if (!place) return [];
    const { ename, when } = place.event;
    return [{ href: linkedPlace(secret), ename, when, standing: standingOf(atTime(place, now())).title }];
  });

async function ownRows(email: string): Promise<Row[]> {
  const own = await readOwn({ email, limit: "50" });
  const events = await Promise.all(own.map(({ eventID, year }) => eventOf(eventID, year)));
  return events.flatMap((event, index) => {
    const registration = own[index];
    if (!registration) return [];
    const when = whenText(event, settings.timeZone) ?? "";
    const { title } = standingOf({ registration, isOver: isPast(event, now()) });
    return [{ href: ownPlace(event), ename: event.ename, when, standing: title }];
  });
}

function OfAccount({ email }: { readonly email: string }) {
  const own = useLoaded(() => askKeeping("own/list", () => ownRows(email)), [email]);
  return (
    <section>
      <h2>{words.ofAccount}</h2>
      <Offline seen={own.value} />
      <Waiting of={own} />
      {own.value?.value.length === 0 && <p>{words.none}.</p>}
      <Rows rows={own.value?.value ?? []} />
      <OwnMembership />
      <OwnCalendar />
    </section>
  );
}

/** The end of the person's membership, if it has one, and the way to renew it when it is near. */
function OwnMembership() {
  const act = useAct();
  const own = useLoaded(() => ask<OwnAccount>("/users/self", { signed: true }).catch(() => undefined), []);
  const { isMember, memberUntil, mayRenew } = own.value ?? {};
  if (memberUntil === undefined) return null;
  const back = `${location.origin}${placesPage}`;
  const urls = { success_url: `${back}?paid`, cancel_url: `${back}?not-paid` };
  const pay = () =>
    act.run(async () => {
      const body = { paymentType: "Member", ...urls };
      location.assign(await askOnce<string>("pay/membership", "/payments", body, { signed: true }));
    });
  const time = momentText(Date.parse(memberUntil), settings.timeZone);
  return (
    <div class="notice">
      <h3>{words.membership}</h3>
      <p>{isMember ? words.memberUntil(time) : words.memberEnded(time)}</p>
      {mayRenew && (
        <>
          <p>{words.renewText}</p>
          <Button act={act} onPress={pay} text={words.renew} />
        </>
      )}
      <Said {...act} />
    </div>
  );
}

/** The secret address of the person's calendar. */
function OwnCalendar() {
  const act = useAct();
  const [address, setAddress] = useState("");
  const asked = { method: "POST", signed: true, body: {} } as const;
  const make = () =>
    act.run(async () => setAddress((await ask<{ readonly address: string }>("/users/calendar/self", asked)).address));
  return (
    <div class="notice">
      <p>{words.subscribeText}</p>
      <Button act={act} onPress={make} text={words.subscribe} />
      <Said {...act} />
      {address && (
        <p aria-live="polite">
          {words.address} <a href={address.replace(/^https?:/, "webcal:")}>{address}</a>
        </p>
      )}
    </div>
  );
}

function AllPlaces() {
  const { email } = account.value ?? {};
  const rows = keptRows();
  return (
    <>
      <Title text={words.yourPlaces} />
      {!email && rows.length === 0 && (
        <p>
          {words.none}. {words.noneText}
        </p>
      )}
      {rows.length > 0 && (
        <section>
          <h2>{words.onDevice}</h2>
          <Rows rows={rows} />
        </section>
      )}
      {email && <OfAccount email={email} />}
      <p>
        {!email && (
          <>
            <a href={signInPage(placesPage)}>{texts.site.signIn}</a> ·{" "}
          </>
        )}
        <a href={lostPage}>{texts.site.lost}</a> · <a href={dataPage}>{texts.site.data}</a>
      </p>
    </>
  );
}

/** After the provider's page, where the person went from. */
function useReturn(result: string | undefined): void {
  const { route } = useLocation();
  useEffect(() => {
    const from = readKept<string>(payingKey);
    if (!result || !from || location.hash || location.search.includes("event=")) return;
    keep(payingKey, undefined);
    route(from.replace(placesPage, `${placesPage}?${result}`), true);
  }, [result]);
}

export function PlacesPage() {
  const { query } = useLocation();
  const [secret = "", button] = useFragment().split("/");
  const result = ["paid", "not-paid"].find((one) => one in query);
  useReturn(result);
  const { event = "", year = "", form } = query;
  const { email } = account.value ?? {};
  const key = { id: event, year: Number(year) };
  const source = useMemo(
    () => (secret ? byLink(secret) : event && email ? ofAccount(event, Number(year)) : undefined),
    [secret, event, year, email],
  );
  if (secret && button === "feedback") return <FeedbackByLink key={secret} link={secret} />;
  if (secret && button === "guest") return <GuestPage key={secret} link={secret} />;
  if (secret && button === "new-email") return <ConfirmNewEmail key={secret} link={secret} />;
  if (secret && button === "export") return <DataPage key={secret} link={secret} />;
  if (source && !secret && (form === "attendee" || form === "partner"))
    return <OwnFeedback key={source.key} {...key} formType={form} />;
  if (source) return <OnePlace key={source.key} source={source} wish={result ?? button} />;
  if (!event) return <AllPlaces />;
  return (
    <>
      <Title text={words.title} />
      <AskSignIn text={texts.account.ended} next={ownPlace(key)} />
    </>
  );
}
