/**
 * The template language: Liquid with `if` and `unless`, four filters, and nothing else. No loops, no variables of its own,
 * no files, and no way around escaping.
 */
import { escape as escapeHtml } from "html-escaper";
import { Liquid } from "liquidjs";

const tags = new Set(["if", "unless"]);
const filters = new Set(["default", "upcase", "downcase", "capitalize"]);

/** What a person reads that is told of a wrong template. */
export const language = `tags: ${[...tags].join(", ")}; filters: ${[...filters].join(", ")}`;

/** Keeps these names alone. Without a prototype, so that `constructor` is no tag. */
function keepOnly(registered: Record<string, unknown>, names: ReadonlySet<string>): void {
  for (const name of Object.keys(registered)) if (!names.has(name)) delete registered[name];
  Object.setPrototypeOf(registered, null);
}

function engineWith(outputEscape?: (value: unknown) => string): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    // An empty name is no name.
    jsTruthy: true,
    // Instead of the file system.
    templates: {},
    // Characters, milliseconds, and values that an expression may make on the way.
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

/** Every output is escaped, whatever it is made of. */
export const htmlEngine = engineWith((value) => escapeHtml(textOf(value)));
export const textEngine = engineWith(textOf);
