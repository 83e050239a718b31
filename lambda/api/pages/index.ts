import { isHidden } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import { whenText } from "#domain/mail/when.ts";
import { requiredEnv } from "#kit/env.ts";
import type { Answer } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { documentOf, type PageAssets, type PageSettings } from "./document.ts";
import * as routes from "./routes.ts";

/** The stage's pages. `url` is their base address, without a slash at its end. */
interface Pages {
  readonly settings: PageSettings;
  readonly assets: PageAssets;
  readonly url: string;
}

const { settings: ofStage, assets, url } = JSON.parse(requiredEnv("PAGES")) as Pages;
const identityUrl = process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER;
const settings = { ...ofStage, ...(identityUrl && { identityUrl }) };
const timeZone = requiredEnv("TIME_ZONE");

const html = (statusCode: number, body: string, cacheControl: string): Answer => ({
  statusCode,
  headers: { "content-type": "text/html; charset=utf-8", "cache-control": cacheControl },
  body,
  isText: true,
});
/** Everyone who opens a shared link asks for the same document. */
const forAMinute = "public, max-age=60";
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const handler = dispatch([
  api(routes.getEventPage, async ({ params: { eventId: id, year }, now }) => {
    const withoutEvent = documentOf(settings, assets);
    if (!settings.publicEvents) return html(200, withoutEvent, forAMinute);
    const event = await readEvent({ id, year });
    if (!event || isHidden(event, now)) return html(404, withoutEvent, "no-cache");
    const { elocation, description, imageUrl } = event;
    const shown = {
      ename: event.calledOff === undefined ? event.ename : `Called off: ${event.ename}`,
      when: whenText(event, timeZone),
      elocation,
      description: textOf(description),
      imageUrl: textOf(imageUrl),
      url: `${url}/event/${encodeURIComponent(id)}/${year}`,
    };
    return html(200, documentOf(settings, assets, shown), forAMinute);
  }),
]);
