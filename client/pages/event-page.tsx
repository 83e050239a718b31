/** One event, and how to register for it. */
import { useRoute } from "preact-iso";
import { eventsPage } from "../shared/addresses.ts";
import { ask } from "../shared/api.ts";
import { Refused } from "../shared/call.ts";
import { now } from "../shared/clock.ts";
import { momentText, zoneOf } from "../shared/dates.ts";
import type { WithCode } from "../shared/event-code.ts";
import { leftFor, phaseOf, priceText } from "../shared/opening.ts";
import { About, AskSignIn, Banner, Facts, Title, useLoaded, useTick, Waiting, Way } from "../shared/parts.tsx";
import { account } from "../shared/session.ts";
import { settings } from "../shared/settings.ts";
import { texts } from "../shared/texts.ts";
import type { EventWithCounts } from "../shared/types.ts";
import { Register } from "./register.tsx";

const words = texts.event;
const { timeZone, currency } = settings;

const Outside = ({ to, text }: { readonly to: string; readonly text: string }) => (
  <a href={to} target="_blank" rel="noreferrer">
    {text}
  </a>
);

/** A map of the visitor's own choice is no part of this site. */
function Where({ event: { elocation, latitude, longitude } }: { readonly event: EventWithCounts }) {
  if (latitude === undefined || longitude === undefined) return <>{elocation}</>;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  return (
    <>
      {elocation} <Outside to={map} text={words.map} />
    </>
  );
}

function Price({ event }: { readonly event: EventWithCounts }) {
  const price = priceText(event, currency);
  if (!price) return <>{texts.events.free}</>;
  return (
    <>
      {price}
      {event.refundAtCheckIn && <span class="note">{words.deposit}</span>}
      {event.refundUntil && (
        <span class="note">{words.refund(momentText(Date.parse(event.refundUntil), zoneOf(event, timeZone)))}</span>
      )}
    </>
  );
}

function placesText(event: EventWithCounts): string {
  const [left, partners] = [leftFor(event, false), leftFor(event, true)];
  const full = words.full(event.counts?.waitlistCount ?? 0);
  return [
    left !== undefined && (left > 0 ? words.left(left) : full),
    event.partnerCapac !== undefined && partners !== undefined && words.partnerPlaces(partners),
  ]
    .filter(Boolean)
    .join(". ");
}

function Shown({ event, reload }: { readonly event: WithCode; reload(): Promise<void> }) {
  const phase = phaseOf(event, now());
  const isAhead = phase === "soon" || phase === "open";
  // The page changes by itself when registration opens, ends, and when the event is over.
  const changes = [event.opensAt, event.deadline, event.startDate, event.endDate]
    .map((date) => Date.parse(date ?? "") - now())
    .filter((left) => left > 0);
  useTick(changes.length > 0 ? Math.min(...changes) + 20 : undefined);
  return (
    <article>
      <Banner url={event.imageUrl} />
      <Title text={event.ename} />
      {event.calledOff !== undefined && (
        <section class="panel">
          <h2>{words.calledOff}</h2>
          <p>{event.calledOff}</p>
        </section>
      )}
      <Facts
        event={event}
        where={event.elocation && <Where event={event} />}
        rows={[
          [words.price, isAhead && <Price key="price" event={event} />],
          [words.places, isAhead && placesText(event)],
        ]}
      />
      {phase === "open" && event.description && (
        <p>
          <Way to="#register" text={texts.register.title} kind="main wide" />
        </p>
      )}
      <About text={event.description}>
        {event.facebookUrl?.startsWith("https:") && (
          <p>
            <Outside to={event.facebookUrl} text={words.social} />
          </p>
        )}
      </About>
      {event.calledOff === undefined && (
        <div id="register">
          <Register event={event} phase={phase} reload={reload} />
        </div>
      )}
      <p>
        <a href={eventsPage}>{texts.site.allEvents}</a>
      </p>
    </article>
  );
}

/** The document of an event has its name already. */
const first = { path: location.pathname, title: document.title.split(" · ")[0] };

/** With a code that does not count, the event is as it is without. @throws Refused */
async function load(path: string, code: string): Promise<WithCode> {
  const address = `/events/${path}?count=true`;
  const plain = () => ask<EventWithCounts>(address, { signed: true });
  if (!code) return plain();
  try {
    return await ask<EventWithCounts>(`${address}&code=${encodeURIComponent(code)}`, { signed: true });
  } catch (problem) {
    if (!(problem instanceof Refused && (problem.status === 409 || problem.status === 429))) throw problem;
    return { ...(await plain()), codeProblem: problem.message };
  }
}

export function EventPage() {
  const { params, query } = useRoute();
  const { code = "" } = query;
  const path = `${encodeURIComponent(params.id ?? "")}/${encodeURIComponent(params.year ?? "")}`;
  const isShown = settings.publicEvents || account.value !== undefined;
  const event = useLoaded(async () => (isShown ? load(path, code) : undefined), [path, isShown, code]);
  if (!isShown) {
    return (
      <>
        <Title text={texts.site.signIn} />
        <AskSignIn text={texts.events.private} next={`/event/${path}${code && `?code=${encodeURIComponent(code)}`}`} />
      </>
    );
  }
  if (event.value) return <Shown event={event.value} reload={event.reload} />;
  return (
    <>
      <Banner url={undefined} />
      <Title text={(first.path === location.pathname && first.title) || texts.events.title} />
      <Waiting of={event} />
    </>
  );
}
