/** The executives' desk: starts the router on the document that the server has sent, behind the sign-in. */
import { signal } from "@preact/signals";
import { type ComponentType, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { applyAccent } from "../shared/accent.ts";
import { Refused } from "../shared/call.ts";
import { isPartMissing } from "../shared/code.ts";
import { Failure, later, Title, useLoaded, Waiting } from "../shared/parts.tsx";
import { account, signOut } from "../shared/session.ts";
import { settings } from "../shared/settings.ts";
import { SignInPage } from "../shared/sign-in-page.tsx";
import { deskPages } from "./addresses.ts";
import { read } from "./calls.ts";

// biome-ignore format: one line a page
const pages = [
  ["/desk", later(() => import("./events/list.tsx").then(({ EventsPage }) => EventsPage))],
  ["/desk/new", later(() => import("./events/new.tsx").then(({ NewEventPage }) => NewEventPage))],
  ["/desk/event/:id/:year", later(() => import("./events/event.tsx").then(({ EventPage }) => EventPage))],
  ["/desk/event/:id/:year/people", later(() => import("./registrations/list.tsx").then(({ PeoplePage }) => PeoplePage))],
  ["/desk/event/:id/:year/people/:email", later(() => import("./registrations/person.tsx").then(({ PersonPage }) => PersonPage))],
  ["/desk/event/:id/:year/codes", later(() => import("./events/codes.tsx").then(({ CodesPage }) => CodesPage))],
  ["/desk/event/:id/:year/applications", later(() => import("./registrations/applications.tsx").then(({ ApplicationsPage }) => ApplicationsPage))],
  ["/desk/event/:id/:year/evening", later(() => import("./evening/evening.tsx").then(({ EveningPage }) => EveningPage))],
  ["/desk/event/:id/:year/report", later(() => import("./evening/report.tsx").then(({ ReportPage }) => ReportPage))],
  ["/desk/event/:id/:year/table", later(() => import("./from-table/pages.tsx").then(({ EventTablePage }) => EventTablePage))],
  ["/desk/mails", later(() => import("./mails/mails.tsx").then(({ MailsPage }) => MailsPage))],
  ["/desk/mails/template/:name?", later(() => import("./mails/template.tsx").then(({ TemplatePage }) => TemplatePage))],
  ["/desk/mails/campaign/:id", later(() => import("./mails/campaign.tsx").then(({ CampaignPage }) => CampaignPage))],
  ["/desk/money", later(() => import("./money/money.tsx").then(({ MoneyPage }) => MoneyPage))],
  ["/desk/money/journal", later(() => import("./money/journal.tsx").then(({ JournalPage }) => JournalPage))],
  ["/desk/people", later(() => import("./accounts/accounts.tsx").then(({ AccountsPage }) => AccountsPage))],
  ["/desk/people/audit", later(() => import("./accounts/audit.tsx").then(({ AuditPage }) => AuditPage))],
  ["/desk/people/table", later(() => import("./from-table/pages.tsx").then(({ PeopleTablePage }) => PeopleTablePage))],
  ["/desk/people/:email", later(() => import("./accounts/account.tsx").then(({ AccountPage }) => AccountPage))],
  ["/desk/prizes", later(() => import("./game/prizes.tsx").then(({ PrizesPage }) => PrizesPage))],
  ["/desk/game", later(() => import("./game/game.tsx").then(({ GamePage }) => GamePage))],
] as const;

const sections = [
  [deskPages.events, "Events"],
  [deskPages.mails, "Mails"],
  [deskPages.money, "Money"],
  [deskPages.accounts, "People"],
  [deskPages.prizes, "Prizes"],
  [deskPages.game, "Game"],
] as const;

function Header() {
  const { path } = useLocation();
  const isHere = (page: string): boolean =>
    page === deskPages.events ? /^\/desk(\/new|\/event\b.*)?$/.test(path) : path.startsWith(page);
  const skip = (event: Event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>("main:not([hidden]) h1")?.focus();
  };
  return (
    <header>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page */}
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <div class="bar">
        <a class="club" href={deskPages.events}>
          {settings.clubName} desk
        </a>
        {account.value && (
          <nav aria-label="Desk">
            {sections.map(([page, text]) => (
              <a key={page} href={page} aria-current={isHere(page) ? "page" : undefined}>
                {text}
              </a>
            ))}
            <button type="button" class="plain" onClick={() => void leave()}>
              Sign out
            </button>
          </nav>
        )}
      </div>
    </header>
  );
}

const isLeaving = signal(false);

/** Nothing of what was shown stays. */
async function leave(): Promise<void> {
  isLeaving.value = true;
  // A browser that goes back may show this document again, which stays empty.
  addEventListener("pageshow", () => location.reload());
  await signOut();
  location.assign(deskPages.events);
}

const Missing = () => (
  <>
    <Title text="This page does not exist" />
    <p>
      <a href={deskPages.events}>All events</a>
    </p>
  </>
);

const Pages = () => (
  <ErrorBoundary>
    <Router>
      {pages.map(([path, Page]) => (
        <Route key={path} path={path} component={Page as ComponentType} />
      ))}
      <Route default component={Missing} />
    </Router>
  </ErrorBoundary>
);

const isForbidden = (problem: unknown): boolean => problem instanceof Refused && problem.status === 403;

/** Asks once whether the person is an admin: the API knows, by the email's domain. */
function Admitted() {
  const asked = useLoaded(() => read("/prizes", { limit: 1 }), []);
  if (isForbidden(asked.problem)) {
    return (
      <>
        <Title text="This desk is for executives" />
        <p>
          You are signed in as {account.value?.email}, which is not an address of the club. Sign out, and sign in with
          your club address; who leads the club gives you one. For your own registrations, go to{" "}
          <a href="/registration/">your places</a>.
        </p>
        <div class="buttons">
          <button type="button" class="main" onClick={() => void leave()}>
            Sign out
          </button>
        </div>
      </>
    );
  }
  return asked.value === undefined ? <Waiting of={asked} /> : <Pages />;
}

/** When a session ends, what was entered stays below the sign-in. Another person begins anew. */
function Content() {
  const signedIn = account.value?.email;
  const last = useRef(signedIn);
  useEffect(() => {
    if (signedIn) last.current = signedIn;
  }, [signedIn]);
  const whose = signedIn ?? last.current;
  if (isLeaving.value) return <main id="content" />;
  return (
    <>
      <main id={signedIn ? "content" : undefined} hidden={!signedIn}>
        {isPartMissing.value && (
          <Failure text="A part of this page could not be loaded." again={() => location.reload()} />
        )}
        {whose && <Admitted key={whose} />}
      </main>
      {!signedIn && (
        <main id="content" class="narrow">
          {whose && (
            <p class="notice" role="status">
              Your session has ended. What you have entered is still there: sign in again to go on.
            </p>
          )}
          <SignInPage next={location.pathname + location.search} />
        </main>
      )}
    </>
  );
}

const App = () => (
  <LocationProvider scope={/^\/desk(\/|$)/}>
    <Header />
    <Content />
    <footer>
      <div class="bar">
        <p>Times are those of {settings.timeZone}.</p>
      </div>
    </footer>
  </LocationProvider>
);

applyAccent(settings.colours?.accent);
const app = document.getElementById("app");
app?.replaceChildren();
if (app) render(<App />, app);
