/** Small edits of a template: a resource by its type, and by what its id or properties have. */
import { ofType, type StageTemplate, type TemplateResource } from "./stage-templates.ts";

export type Edit = (template: StageTemplate) => void;

/** The first resource of a type whose id or properties fit. */
function found(template: StageTemplate, type: string, fits = /./): [string, TemplateResource] {
  const match = ofType(template, `AWS::${type}`).find(
    ([id, { Properties }]) => fits.test(id) || fits.test(JSON.stringify(Properties)),
  );
  if (!match) throw new Error(`no ${type} with ${fits}`);
  return match;
}

export const idOf = (template: StageTemplate, type: string, fits = /./): string => found(template, type, fits)[0];

/**
 * Sets a value.
 * @param path names and indexes between dots. As the last one of a list `[]` adds to it, `2+` inserts before an item, `-1` is
 *   the last item
 * @param value absent: what is there is removed
 */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of CloudFormation
function put(root: any, path: string, value?: unknown): void {
  const names = path.split(".");
  const last = names.pop() as string;
  const at = names.reduce((inner, name) => inner[name], root);
  if (last === "[]") at.push(value);
  else if (last.endsWith("+")) at.splice(Number.parseInt(last, 10), 0, value);
  else if (value !== undefined) at[last] = value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
}

/** Sets a property, or without a value removes it. */
export const set =
  (type: string, fits: RegExp, path: string, value?: unknown): Edit =>
  (template) =>
    put(found(template, type, fits)[1].Properties, path, value);

/**
 * A part of an edit:
 * - type, which, path of a property, its value; without a value it is removed;
 * - type, which, `-`: the resource is removed; `+`: there is one more, `Added1`, with these properties or those of this one;
 * - `(template)`, `.`, a path from the top, its value;
 * - `(text)`, a pattern, nothing, what comes in its place everywhere;
 * - `(copies)`, how ids begin, nothing, how those of copies do, which get no rights on secrets.
 *
 * Values are JSON. `$<type>~<which>` is the id of a resource.
 */
export type EditRow = readonly [type: string, which: string, path?: string, value?: string, ...more: string[]];

const copy = ({ Resources }: StageTemplate, begin: RegExp, to: string): void => {
  for (const [id, resource] of Object.entries(Resources).filter(([name]) => begin.test(name))) {
    const text = JSON.stringify(resource).replaceAll(new RegExp(begin.source.replace("^", '"'), "g"), `"${to}`);
    const { Properties, ...rest } = JSON.parse(text);
    const { PolicyDocument: { Statement } = { Statement: [] } } = Properties;
    const isOwn = (one: object) => !JSON.stringify(one).includes("secretsmanager");
    if (Properties.PolicyDocument) Properties.PolicyDocument.Statement = Statement.filter(isOwn);
    Resources[id.replace(begin, to)] = { ...rest, Properties };
  }
};

function apply(template: StageTemplate, [type, ...row]: EditRow): void {
  const ids = (text: string) =>
    text.replaceAll(/\$([A-Z]\w+::\w+)(?:~([^"]+))?/g, (_, of, fits = ".") => idOf(template, of, new RegExp(fits)));
  const [which = ".", path = "", json = ""] = row.map((text = "") => ids(text));
  const [fits, value] = [new RegExp(which), json === "" ? undefined : JSON.parse(json)];
  if (type === "(template)") put(template, path, value);
  else if (type === "(copies)") copy(template, fits, value);
  else if (type === "(text)")
    Object.assign(template, JSON.parse(JSON.stringify(template).replaceAll(new RegExp(which, "g"), value)));
  else if (path === "-") delete template.Resources[idOf(template, type, fits)];
  else if (path === "+") {
    const Properties = value ?? structuredClone(found(template, type, fits)[1].Properties);
    template.Resources.Added1 = { Type: type.startsWith("Custom") ? type : `AWS::${type}`, Properties };
  } else put(found(template, type, fits)[1].Properties, path, value);
}

export const edited =
  (rows: readonly EditRow[]): Edit =>
  (template) => {
    for (const row of rows) apply(template, row);
  };

/** Edits with their names: a line each, of a name and an `EditRow` between ` | `. A line without a name continues the edit. */
export function rowsOf(text: string): [what: string, rows: [EditRow, ...EditRow[]]][] {
  const all: [string, [EditRow, ...EditRow[]]][] = [];
  for (const line of text.trim().split("\n")) {
    const [what = "", ...row] = line.split(/ ?\| ?/) as [string, ...EditRow];
    if (what === "") all.at(-1)?.[1].push(row as EditRow);
    else all.push([what, [row as EditRow]]);
  }
  return all;
}
