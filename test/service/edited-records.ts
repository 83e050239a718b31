/** The kinds of records that admins edit, by their routes: both suites about conditional edits take their requests here. */
import { routes } from "#api/routes.ts";
import { year } from "./given.ts";

/** `value` is a text that an edit may change. */
interface EditedRecord {
  readonly create: string;
  /** All routes that save it. */
  readonly save: readonly string[];
  readonly remove: string;
  /** The body that makes and saves a record. */
  readonly body: (id: string, value: string) => object;
  /** The text in the body of the answer to a read. */
  readonly shown: (body: never) => unknown;
}

export const editedRecords: Readonly<Record<string, EditedRecord>> = {
  "an event": {
    create: "POST /events",
    save: ["PATCH /events/{eventId}/{year}"],
    remove: "DELETE /events/{eventId}/{year}",
    body: (id, ename) => ({ id, year, ename, isPublished: true, startDate: `${year}-05-01T18:00:00Z` }),
    shown: ({ ename }: { ename: string }) => ename,
  },
  "a template": {
    create: "POST /emails/templates",
    save: ["PATCH /emails/templates/{templateName}", "PATCH /emails/templates", "PATCH /emails/templates/"],
    remove: "DELETE /emails/templates/{templateName}",
    body: (templateName, subject) => ({ templateName, subject, html: "<p>Hi</p>" }),
    shown: ({ TemplateContent }: { TemplateContent: { Subject: string } }) => TemplateContent.Subject,
  },
  "a prize": {
    create: "POST /prizes",
    save: ["PATCH /prizes/{id}"],
    remove: "DELETE /prizes/{id}",
    body: (id, name) => ({ id, name, price: 5 }),
    shown: ({ name }: { name: string }) => name,
  },
  "a project": {
    create: "POST /btx/admin/project",
    save: ["POST /btx/admin/project"],
    remove: "DELETE /btx/admin/project/{projectId}",
    body: (projectId, name) => ({ projectId, ticker: "P", name }),
    shown: ({ data }: { data: { name: string } }) => data.name,
  },
};

/** Each kind with each route that saves it. */
export const saves = Object.entries(editedRecords).flatMap(([name, { save }]) =>
  save.map((key) => [name, key] as const),
);

/** Each kind with one route that saves it. */
export const kinds = Object.entries(editedRecords).map(([name, { save }]) => [name, save[0] as string] as const);

/** Every route that declares `If-Match`. */
export const conditionalRoutes = routes.filter(({ ifMatch }) => ifMatch).flatMap(({ keys }) => keys);
/** Those that the suites call. Each must be in `conditionalRoutes`, and each of `conditionalRoutes` here. */
export const editingRoutes = Object.values(editedRecords).flatMap(({ save, remove }) => [...save, remove]);

/** The path parameters of a route for one record. */
export const paramsOf = (key: string, id: string): Record<string, string> =>
  Object.fromEntries([...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, name === "year" ? `${year}` : id]));

/** Method and path of a route for one record. */
export function requestOf(key: string, id: string): [method: string, path: string] {
  const params = paramsOf(key, id);
  return key.replace(/\{(\w+)\}/g, (_, name) => params[name] as string).split(" ") as [string, string];
}
