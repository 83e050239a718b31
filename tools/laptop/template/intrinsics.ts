/** CloudFormation's intrinsic functions, as far as the CDK uses them in this stack. */

/** The local stage does not understand a part of the template. The message names the place. */
export class TemplateProblem extends Error {}

/** Answers the references of a template. `path` is the place of the reference, for messages. */
export interface References {
  ref(name: string, path: string): unknown;
  attribute(logicalId: string, attribute: string, path: string): string;
}

/**
 * The value with every intrinsic function replaced by its result.
 * @throws TemplateProblem for an unknown function, and every error of `references`
 */
export function resolveIntrinsics(value: unknown, path: string, references: References): unknown {
  if (Array.isArray(value)) {
    return value
      .map((entry, index) => resolveIntrinsics(entry, `${path}[${index}]`, references))
      .filter((entry) => entry !== undefined);
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [name, argument] = entries[0] ?? ["", undefined];
  const isIntrinsic = entries.length === 1 && (name === "Ref" || name.startsWith("Fn::"));
  if (isIntrinsic) return call(name, argument, path, references);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, resolveIntrinsics(inner, `${path}.${key}`, references)]),
  );
}

function call(name: string, argument: unknown, path: string, references: References): unknown {
  switch (name) {
    case "Ref":
      return references.ref(String(argument), path);
    case "Fn::GetAtt": {
      const [logicalId, ...attribute] = argument as string[];
      return references.attribute(String(logicalId), attribute.join("."), path);
    }
    case "Fn::Sub":
      return substitute(String(argument), path, references);
  }
  const resolved = resolveIntrinsics(argument, path, references);
  const [first, second] = Array.isArray(resolved) && resolved.length === 2 ? resolved : [];
  if (name === "Fn::Join" && Array.isArray(second)) return second.join(String(first));
  throw new TemplateProblem(`${path}: the local stage does not know ${name} with these arguments.`);
}

/** `${Name}` and `${Name.Attribute}`. */
function substitute(text: string, path: string, references: References): string {
  return text.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    const [logicalId = "", ...attribute] = name.split(".");
    if (attribute.length > 0) return references.attribute(logicalId, attribute.join("."), path);
    return String(references.ref(logicalId, path));
  });
}
