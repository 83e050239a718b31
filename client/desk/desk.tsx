/** The executives' desk: starts the router on the document that the server has sent, behind the sign-in. */
import { signal } from "@preact/signals";
import { render } from "preact";
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

const EventsPage = later(() => import("./events/list.tsx").then((module) => module.EventsPage));
const NewEventPage = later(() => import("./events/new.tsx").then((module) => module.NewEventPage));
const EventPage = later(() => import("./events/event.tsx").then((module) => module.EventPage));
const PeoplePage = later(() => import("./registrations/list.tsx").then((module) => module.PeoplePage));
const PersonPage = later(() => import("./registrations/person.tsx").then((module) => module.PersonPage));
const ApplicationsPage = later(() =>
  import("./registrations/applications.tsx").then((module) => module.ApplicationsPage),
);
const EveningPage = later(() => import("./evening/evening.tsx").then((module) => module.EveningPage));
const ReportPage = later(() => import("./evening/report.tsx").then((module) => module.ReportPage));
const MailsPage = later(() => import("./mails/mails.tsx").then((module) => module.MailsPage));
const TemplatePage = later(() => import("./mails/template.tsx").then((module) => module.TemplatePage));
const CampaignPage = later(() => import("./mails/campaign.tsx").then((module) => module.CampaignPage));
const MoneyPage = later(() => import("./money/money.tsx").then((module) => module.MoneyPage));
const JournalPage = later(() => import("./money/journal.tsx").then((module) => module.JournalPage));
const AccountsPage = later(() => import("./accounts/accounts.tsx").then((module) => module.AccountsPage));
const AccountPage = later(() => import("./accounts/account.tsx").then((module) => module.AccountPage));
const AuditPage = later(() => import("./accounts/audit.tsx").then((module) => module.AuditPage));
const PrizesPage = later(() => import("./game/prizes.tsx").then((module) => module.PrizesPage));
const GamePage = later(() => import("./game/game.tsx").then((module) => module.GamePage));

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
      <Route path="/desk" component={EventsPage} />
      <Route path="/desk/new" component={NewEventPage} />
      <Route path="/desk/event/:id/:year" component={EventPage} />
      <Route path="/desk/event/:id/:year/people" component={PeoplePage} />
      <Route path="/desk/event/:id/:year/people/:email" component={PersonPage} />
      <Route path="/desk/event/:id/:year/applications" component={ApplicationsPage} />
      <Route path="/desk/event/:id/:year/evening" component={EveningPage} />
      <Route path="/desk/event/:id/:year/report" component={ReportPage} />
      <Route path="/desk/mails" component={MailsPage} />
      <Route path="/desk/mails/template/:name?" component={TemplatePage} />
      <Route path="/desk/mails/campaign/:id" component={CampaignPage} />
      <Route path="/desk/money" component={MoneyPage} />
      <Route path="/desk/money/journal" component={JournalPage} />
      <Route path="/desk/people" component={AccountsPage} />
      <Route path="/desk/people/audit" component={AuditPage} />
      <Route path="/desk/people/:email" component={AccountPage} />
      <Route path="/desk/prizes" component={PrizesPage} />
      <Route path="/desk/game" component={GamePage} />
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
