/**
 * The template language: Liquid with only `if`, `unless` and four filters (`docs/contract.md`, "Emails"). There are no
 * loops, assignments or files, and escaping cannot be disabled.
 */
import { escape as escapeHtml } from "html-escaper";
import { Liquid } from "liquidjs";

const tags = new Set(["if", "unless"]);
const filters = new Set(["default", "upcase", "downcase", "capitalize"]);

/** The description of the language in error messages. */
export const language = `tags: ${[...tags].join(", ")}; filters: ${[...filters].join(", ")}`;

/** Removes all other names, and the prototype, so that `constructor` is not a tag. */
function keepOnly(registered: Record<string, unknown>, names: ReadonlySet<string>): void {
  for (const name of Object.keys(registered)) if (!names.has(name)) delete registered[name];
  Object.setPrototypeOf(registered, null);
}

function engineWith(outputEscape?: (value: unknown) => string): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    // An empty value is false in an `if`.
    jsTruthy: true,
    // Liquid must not read templates from the file system.
    templates: {},
    // Characters of a template, milliseconds per rendering, and Liquid's units of memory.
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
