/** What the links of mails lead to, and the list of one's places. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { dataPage, linkedPlace, lostPage, ownPlace, placesPage, signInPage } from "./addresses.ts";
import { ask, askKeeping } from "./api.ts";
import { DataPage } from "./data-page.tsx";
import { momentText } from "./dates.ts";
import { FeedbackByLink, OwnFeedback } from "./feedback.tsx";
import { GuestPage } from "./guest.tsx";
import { Button, Offline, Said, Title, useAct, useLoaded, Waiting } from "./parts.tsx";
import { OnePlace } from "./place.tsx";
import { byLink, ofAccount, payingKey } from "./place-source.ts";
import { account } from "./session.ts";
import { settings } from "./settings.ts";
import { standingOf } from "./standing.ts";
import { keep, keptKeys, readKept, type Seen } from "./store.ts";
import { texts } from "./texts.ts";
import type { Event, Place, Registration } from "./types.ts";

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

interface RowProps {
  readonly href: string;
  readonly ename: string;
  readonly when: string;
  readonly standing: string;
}

function Row({ href, ename, when, standing }: RowProps) {
  return (
    <li class="card">
      <div class="card-text">
        <div>
          <h3>
            <a href={href}>{ename}</a>
          </h3>
          <p class="minor">{when}</p>
          <p>{standing}</p>
        </div>
      </div>
    </li>
  );
}

/** What was opened by links on this device. */
function OnDevice() {
  const rows = keptKeys("place/").flatMap((secret) => {
    const seen = readKept<Seen<Place>>(`place/${secret}`);
    return seen ? [{ secret, place: seen.value }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{words.onDevice}</h2>
      <ul class="rows">
        {rows.map(({ secret, place }) => (
          <Row
            key={secret}
            {...{ href: linkedPlace(secret), ename: place.event.ename, when: place.event.when }}
            standing={standingOf(place).title}
          />
        ))}
      </ul>
    </section>
  );
}

interface Own {
  readonly registration: Registration;
  readonly event: Pick<Event, "ename" | "startDate">;
}

async function readOwn(email: string): Promise<Own[]> {
  const query = new URLSearchParams({ email, limit: "50" });
  const { data } = await ask<{ readonly data: readonly Registration[] }>(`/registrations?${query}`, { signed: true });
  const read = async (registration: Registration): Promise<Own> => {
    const { eventID, year } = registration;
    const path = `/events/${encodeURIComponent(eventID)}/${year}`;
    // An event may be hidden meanwhile.
    const event = await ask<Event>(path, { signed: true }).catch(() => ({ ename: eventID }));
    return { registration, event };
  };
  return Promise.all(data.map(read));
}

function OfAccount({ email }: { readonly email: string }) {
  const own = useLoaded(() => askKeeping("own/list", () => readOwn(email)), [email]);
  return (
    <section>
      <h2>{words.ofAccount}</h2>
      <Offline seen={own.value} />
      <Waiting of={own} />
      {own.value?.value.length === 0 && <p>{words.none}.</p>}
      <ul class="rows">
        {own.value?.value.map(({ registration, event }) => (
          <Row
            key={registration["eventID;year"]}
            href={ownPlace({ id: registration.eventID, year: registration.year })}
            ename={event.ename}
            when={event.startDate ? momentText(Date.parse(event.startDate), settings.timeZone) : ""}
            standing={standingOf({ registration }).title}
          />
        ))}
      </ul>
      <OwnCalendar />
    </section>
  );
}

/** The secret address of the person's calendar. */
function OwnCalendar() {
  const act = useAct();
  const [address, setAddress] = useState("");
  const make = () =>
    act.run(async () => {
      const { address } = await ask<{ readonly address: string }>("/users/calendar/self", {
        method: "POST",
        signed: true,
        body: {},
      });
      setAddress(address);
    });
  return (
    <div class="notice">
      <p>{words.subscribeText}</p>
      <Button act={act} onPress={make} text={words.subscribe} />
      <Said text={act.said} isProblem={act.isProblem} />
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
  const isEmpty = !email && keptKeys("place/").length === 0;
  return (
    <>
      <Title text={words.yourPlaces} />
      {isEmpty && (
        <p>
          {words.none}. {words.noneText}
        </p>
      )}
      <OnDevice />
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
function useReturn(wish: string | undefined): void {
  const { route } = useLocation();
  useEffect(() => {
    const from = readKept<string>(payingKey);
    if (!wish || !from || location.hash || location.search.includes("event=")) return;
    keep(payingKey, undefined);
    route(from.replace(placesPage, `${placesPage}?${wish}`), true);
  }, [wish]);
}

export function PlacesPage() {
  const { query } = useLocation();
  const [secret = "", button] = useFragment().split("/");
  const wish = "paid" in query ? "paid" : "not-paid" in query ? "not-paid" : button;
  useReturn("paid" in query || "not-paid" in query ? wish : undefined);
  const { event = "", year = "", form } = query;
  const { email } = account.value ?? {};
  const source = useMemo(
    () => (secret ? byLink(secret) : event && email ? ofAccount(event, Number(year)) : undefined),
    [secret, event, year, email],
  );
  if (secret && button === "feedback") return <FeedbackByLink key={secret} link={secret} />;
  if (secret && button === "guest") return <GuestPage key={secret} link={secret} />;
  if (secret && button === "export") return <DataPage key={secret} link={secret} />;
  if (event && !email) {
    return (
      <>
        <Title text={words.title} />
        <p>
          {texts.account.ended}{" "}
          <a href={signInPage(ownPlace({ id: event, year: Number(year) }))}>{texts.site.signIn}</a>
        </p>
      </>
    );
  }
  if (source && (form === "attendee" || form === "partner"))
    return <OwnFeedback key={source.key} id={event} year={Number(year)} formType={form} />;
  return source ? <OnePlace key={source.key} source={source} wish={wish} /> : <AllPlaces />;
}
