/** The HTML documents of the club's pages: a frame for the application of `client/pages`. Pure. */
import { Html, html } from "#kit/text/html.ts";
import { oneLine, shortened } from "#kit/text/text.ts";

/** What the application is told of its stage, as JSON in each document. */
export interface PageSettings {
  /** The base of the API's addresses, below that of the pages. */
  readonly api: string;
  readonly clubName: string;
  /** An email. */
  readonly contact: string;
  /** IANA name. */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly colours: { readonly accent?: string };
  /** The address of the banners, of which the policy allows no others. */
  readonly images: string;
  /** Whether events are shown without a token. */
  readonly publicEvents: boolean;
  readonly guests: "nobody" | "partners" | "everyone";
  readonly region: string;
  readonly userPoolId: string;
  readonly clientId: string;
  /** Host of the pool's sign-in page. */
  readonly signInDomain?: string;
  readonly hasGoogle?: boolean;
  /** Where the user pool is, if not at AWS. */
  readonly identityUrl?: string;
}

/** Names of the files in `/assets/` that a document loads, from `dist/pages/manifest.json`. */
export interface PageAssets {
  readonly script: string;
  /** What the script imports before it runs: asked for with it, instead of a round trip later. */
  readonly imports: readonly string[];
  readonly style: string;
}

/** What the document of an event shows without script, and where it is. */
export interface ShownEvent {
  readonly ename: string;
  /** Date and time for people. */
  readonly when: string;
  readonly elocation?: string | undefined;
  readonly description?: string | undefined;
  /** Its banner. */
  readonly imageUrl?: string | undefined;
  /** The address of this document. */
  readonly url: string;
}

/** Characters of a description in a preview; more is cut by those who show it. */
const mostInPreview = 200;

/** JSON that no text in it can end: `<` begins every end tag and comment. */
const inScript = (value: object): Html => new Html(JSON.stringify(value).replaceAll("<", "\\u003c"));

/** Other schemes would be followed by who shows a preview. */
const isWebAddress = (address: string | undefined): address is string => /^https?:\/\//.test(address ?? "");

/** https://ogp.me */
function previewOf({ ename, when, elocation, description, imageUrl, url }: ShownEvent, clubName: string): Html {
  const facts = [when, elocation, description].filter(Boolean).join(" · ");
  const text = shortened(oneLine(facts), mostInPreview);
  const tags = {
    "og:type": "website",
    "og:site_name": clubName,
    "og:title": ename,
    "og:description": text,
    "og:url": url,
    ...(isWebAddress(imageUrl) && { "og:image": imageUrl }),
  };
  return html`<meta name="description" content="${text}">
${Object.entries(tags).map(([name, content]) => html`<meta property="${name}" content="${content}">\n`)}`;
}

const factsOf = ({ ename, when, elocation, description }: ShownEvent): Html => html`<main>
<h1>${ename}</h1>
<p>${when}</p>
${elocation && html`<p>${elocation}</p>`}
${description && html`<p>${description}</p>`}
</main>`;

/**
 * A document. Without an event it shows nothing but the club's name until the application runs, so it is the same for what may
 * not be seen and what is not there.
 */
export function documentOf(settings: PageSettings, { script, imports, style }: PageAssets, event?: ShownEvent): string {
  const { clubName, contact } = settings;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${event ? `${event.ename} · ${clubName}` : clubName}</title>
${event && previewOf(event, clubName)}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/${style}">
<script type="module" src="/assets/${script}"></script>
${imports.map((name) => html`<link rel="modulepreload" href="/assets/${name}">\n`)}<script type="application/json" id="settings">${inScript(settings)}</script>
</head>
<body>
<div id="app">${event ? factsOf(event) : html`<h1>${clubName}</h1>`}</div>
<noscript><p>This page needs JavaScript. Please allow it, open the page in another browser, or write to ${contact}.</p></noscript>
</body>
</html>
`.source;
}
