/** The frame of the pages that a developer sees, and the check of who asks for them. */
import type { IncomingHttpHeaders } from "node:http";
import { type Html, html } from "#kit/text/html.ts";

/** @param notice says whose page it is @param assets address of the style sheet, and of the script if the page has one */
export const framed = (
  title: string,
  notice: Html,
  content: Html,
  { style, script }: { readonly style: string; readonly script?: string | undefined },
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
${script === undefined ? "" : html`<script type="module" src="${script}"></script>`}
</head>
<body>
<header><p>${notice}</p></header>
<main>
${content}
</main>
</body>
</html>
`;

/** Whether a page of this origin sends the request, and no other site's. */
export function isSameOrigin({ origin, host, "sec-fetch-site": site = "same-origin" }: IncomingHttpHeaders): boolean {
  return (origin === undefined || origin === `http://${host}`) && (site === "same-origin" || site === "none");
}

/** A moment in UTC. @param milliseconds since 1970 */
export function moment(milliseconds: number): Html {
  const at = new Date(milliseconds).toISOString();
  return html`<time datetime="${at}"><span class="day">${at.slice(0, 10)}</span> ${at.slice(11, 19)}</time>`;
}

/** A list, or the text when it is empty. */
export const listOf = (items: readonly Html[], none: string): Html =>
  items.length === 0 ? html`<p class="none">${none}</p>` : html`<ul>${items}</ul>`;

/** The style sheet that all pages share. */
export const sharedStyle = `
:root { color-scheme: light dark; --line: #8886; --accent: #2a5bd7; --soft: #8881; --good: #1b7f3b; --bad: #c62828; }
@media (prefers-color-scheme: dark) { :root { --accent: #8fb0ff; --good: #6fd08c; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
header { background: #ffd65c; color: #222; padding: 0 1rem; }
header p { margin: 0 auto; padding: .5rem 0; max-width: 72rem; font-size: .9rem; }
main { max-width: 74rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0; overflow-wrap: anywhere; }
p, li, td, th, dd, summary { overflow-wrap: anywhere; }
p { margin: 0 0 .5rem; }
a { color: var(--accent); }
small, time, .none { opacity: .75; font-size: .875rem; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
ul { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid var(--line); padding: .5rem 0; }
li:first-child { border-top: 0; }
li p { margin: 0; }
button { font: inherit; min-height: 2.5rem; padding: .3rem .9rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--soft); color: inherit; cursor: pointer; }
button.main, a.main { background: #2a5bd7; border-color: #2a5bd7; color: #fff; font-weight: 600; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
