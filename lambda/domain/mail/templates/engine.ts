/**
 * The template language: Liquid with `if`, `unless` and four filters (`docs/contract.md`, "Emails"). It has no loops,
 * no variables of a template's own, no files, and no way to switch off escaping.
 */
import { escape as escapeHtml } from "html-escaper";
import { Liquid } from "liquidjs";

const tags = new Set(["if", "unless"]);
const filters = new Set(["default", "upcase", "downcase", "capitalize"]);

/** The part of an error message that names the language. */
export const language = `tags: ${[...tags].join(", ")}; filters: ${[...filters].join(", ")}`;

/** Removes all other names. The prototype is removed too, so that `constructor` is no tag. */
function keepOnly(registered: Record<string, unknown>, names: ReadonlySet<string>): void {
  for (const name of Object.keys(registered)) if (!names.has(name)) delete registered[name];
  Object.setPrototypeOf(registered, null);
}

function engineWith(outputEscape?: (value: unknown) => string): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    // An empty value counts as false in an `if`.
    jsTruthy: true,
    // Liquid must not read templates from the file system.
    templates: {},
    // Characters of a template, milliseconds of one rendering, and units of memory as Liquid counts them.
    parseLimit: 200_000,
    renderLimit: 2_000,
    memoryLimit: 1_000_000,
    ...(outputEscape && { outputEscape }),
  });
  keepOnly(engine.tags, tags);
  keepOnly(engine.filters, filters);
  return engine;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null || typeof value === "object" ? "" : String(value);

/** Escapes every output. */
export const htmlEngine = engineWith((value) => escapeHtml(textOf(value)));
export const textEngine = engineWith(textOf);
