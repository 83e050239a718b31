/** One event, and how to register for it. */
import { useRoute } from "preact-iso";
import { eventsPage, signInPage } from "./addresses.ts";
import { ask } from "./api.ts";
import { now } from "./clock.ts";
import { momentText } from "./dates.ts";
import { leftFor, phaseOf, priceText } from "./opening.ts";
import { Banner, Facts, Prose, Title, useLoaded, useTick, Waiting, When } from "./parts.tsx";
import { Register } from "./register.tsx";
import { account } from "./session.ts";
import { settings } from "./settings.ts";
import { texts } from "./texts.ts";
import type { EventWithCounts } from "./types.ts";

const words = texts.event;
const { timeZone, currency } = settings;

/** A map of the visitor's own choice is no part of this site. */
const mapOf = ({ latitude, longitude }: EventWithCounts): string | undefined =>
  latitude === undefined || longitude === undefined
    ? undefined
    : `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;

function placesText(event: EventWithCounts): string | undefined {
  const left = leftFor(event, false);
  const attendees =
    left === undefined ? undefined : left > 0 ? words.left(left) : words.full(event.counts?.waitlistCount ?? 0);
  const partners = leftFor(event, true);
  const others = event.partnerCapac === undefined || partners === undefined ? undefined : words.partnerPlaces(partners);
  return [attendees, others].filter(Boolean).join(". ") || undefined;
}

function Shown({ event, reload }: { readonly event: EventWithCounts; reload(): Promise<void> }) {
  const phase = phaseOf(event, now());
  const isAhead = phase === "soon" || phase === "open";
  const price = priceText(event, currency);
  const map = mapOf(event);
  // The page changes by itself when registration opens, ends, and when the event is over.
  const changes = [event.opensAt, event.deadline, event.startDate, event.endDate].flatMap((date) => {
    const left = date === undefined ? 0 : Date.parse(date) - now();
    return left > 0 ? [left] : [];
  });
  useTick(changes.length > 0 ? Math.min(...changes) + 20 : undefined);
  const where = event.elocation && (
    <>
      {event.elocation}
      {map && (
        <>
          {" "}
          <a href={map} target="_blank" rel="noreferrer">
            {words.map}
          </a>
        </>
      )}
    </>
  );
  return (
    <article>
      <Banner url={event.imageUrl} />
      <Title text={event.ename} />
      <Facts
        rows={[
          [words.when, <When key="when" event={event} />],
          [words.where, where],
          [
            words.price,
            isAhead && (
              <>
                {price ?? texts.events.free}
                {price && event.refundUntil && (
                  <span class="note">{words.refund(momentText(Date.parse(event.refundUntil), timeZone))}</span>
                )}
              </>
            ),
          ],
          [words.places, isAhead && placesText(event)],
        ]}
      />
      {phase === "open" && event.description && (
        <p>
          <a class="button main wide" href="#register">
            {texts.register.title}
          </a>
        </p>
      )}
      {event.description && (
        <section>
          <h2>{words.about}</h2>
          <Prose text={event.description} />
          {event.facebookUrl && /^https:/.test(event.facebookUrl) && (
            <p>
              <a href={event.facebookUrl} target="_blank" rel="noreferrer">
                {words.social}
              </a>
            </p>
          )}
        </section>
      )}
      <div id="register">
        <Register event={event} phase={phase} reload={reload} />
      </div>
      <p>
        <a href={eventsPage}>{texts.site.allEvents}</a>
      </p>
    </article>
  );
}

export function EventPage() {
  const { params } = useRoute();
  const path = `${encodeURIComponent(params.id ?? "")}/${encodeURIComponent(params.year ?? "")}`;
  const isShown = settings.publicEvents || account.value !== undefined;
  const event = useLoaded(
    async () => (isShown ? ask<EventWithCounts>(`/events/${path}?count=true`, { signed: true }) : undefined),
    [path, isShown],
  );
  if (!isShown) {
    return (
      <>
        <Title text={texts.site.signIn} />
        <p>
          {texts.events.private} <a href={signInPage(`/event/${path}`)}>{texts.site.signIn}</a>
        </p>
      </>
    );
  }
  if (event.value) return <Shown event={event.value} reload={event.reload} />;
  return (
    <>
      <Banner url={undefined} />
      <Title text={document.title.split(" · ")[0] || texts.events.title} />
      <Waiting of={event} />
    </>
  );
}
