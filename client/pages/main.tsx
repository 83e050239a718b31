/** The pages of people: starts the router on the document that the server has sent. */
import { render } from "preact";
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { applyAccent } from "../shared/accent.ts";
import { dataPage, eventsPage, lostPage, placesPage, signInPage } from "../shared/addresses.ts";
import { isPartMissing } from "../shared/code.ts";
import { Failure, later, Title } from "../shared/parts.tsx";
import { account, signOut } from "../shared/session.ts";
import { settings } from "../shared/settings.ts";
import { texts } from "../shared/texts.ts";
import { EventPage } from "./event-page.tsx";
import { EventsPage } from "./events-page.tsx";

const words = texts.site;

/** The screen reader and the keyboard go on at the heading. The fragment of the address may be a secret: it stays. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("h1")?.focus();
}

const PlacesPage = later(() => import("./places-page.tsx").then((module) => module.PlacesPage));
const LostPage = later(() => import("./lost-page.tsx").then((module) => module.LostPage));
const MyDataPage = later(() => import("./data-page.tsx").then((module) => module.MyDataPage));
const SignInPage = later(() => import("../shared/sign-in-page.tsx").then((module) => module.SignInPage));

function Missing() {
  return (
    <>
      <Title text={words.missing} />
      <p>
        {words.missingText} <a href={eventsPage}>{words.allEvents}</a>
      </p>
    </>
  );
}

function Header() {
  const { path, url } = useLocation();
  const links = [
    [eventsPage, words.events],
    [placesPage, words.places],
  ] as const;
  const isHere = (href: string): boolean => path === href.replace(/\/$/, "");
  return (
    <header>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page */}
      <a class="skip" href="#content" onClick={skip}>
        {words.skip}
      </a>
      <div class="bar">
        <a class="club" href={eventsPage}>
          {settings.clubName}
        </a>
        <nav aria-label={settings.clubName}>
          {links.map(([href, text]) => (
            <a key={href} href={href} aria-current={isHere(href) ? "page" : undefined}>
              {text}
            </a>
          ))}
          {account.value ? (
            <button type="button" class="plain" onClick={() => void signOut()}>
              {words.signOut}
            </button>
          ) : (
            <a
              href={isHere("/sign-in/") ? url : signInPage(url)}
              aria-current={isHere("/sign-in/") ? "page" : undefined}
            >
              {words.signIn}
            </a>
          )}
        </nav>
      </div>
    </header>
  );
}

function Footer() {
  return (
    <footer>
      <div class="bar">
        <p>
          {settings.clubName} · {words.questions} <a href={`mailto:${settings.contact}`}>{settings.contact}</a>
        </p>
        <p>
          <a href={lostPage}>{words.lost}</a> <a href={dataPage}>{words.data}</a>
        </p>
      </div>
    </footer>
  );
}

/** Pages of this application; other addresses, such as the door's, are loaded. */
const scope = /^\/(?:$|club|event|registration|lost|my-data|sign-in)/;

function App() {
  return (
    <LocationProvider scope={scope}>
      <Header />
      <main id="content">
        {isPartMissing.value && <Failure text={words.pageFailed} again={() => location.reload()} />}
        <ErrorBoundary>
          <Router>
            <Route path="/" component={EventsPage} />
            <Route path="/club" component={EventsPage} />
            <Route path="/event/:id/:year" component={EventPage} />
            <Route path="/registration" component={PlacesPage} />
            <Route path="/lost" component={LostPage} />
            <Route path="/my-data" component={MyDataPage} />
            <Route path="/sign-in" component={SignInPage} />
            <Route default component={Missing} />
          </Router>
        </ErrorBoundary>
      </main>
      <Footer />
    </LocationProvider>
  );
}

applyAccent(settings.colours?.accent);
const app = document.getElementById("app");
app?.replaceChildren();
if (app) render(<App />, app);
void navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined);
