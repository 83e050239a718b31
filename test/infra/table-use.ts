/**
 * What a function can ask of the table, read from the sources that its bundle is made of. Packages are left out. esbuild
 * leaves out what the function never refers to, so that of a store that several functions share each function has only
 * the parts that it uses.
 */
import { build } from "esbuild";
import { bundleOptions } from "../../bin/build.ts";
import type { FunctionName } from "../../lib/entries.ts";

/** The action of each command. A transaction has none of its own, only those of its members. */
const commands: Readonly<Record<string, readonly string[]>> = {
  GetCommand: ["GetItem"],
  BatchGetCommand: ["BatchGetItem"],
  PutCommand: ["PutItem"],
  UpdateCommand: ["UpdateItem"],
  DeleteCommand: ["DeleteItem"],
  // Known by the keys and indexes of the queries.
  QueryCommand: [],
  TransactWriteCommand: [],
};

/** The action of each kind of a transaction's members. */
const members: Readonly<Record<string, string>> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

/** @throws Error a command whose action is not known here */
export function actionsIn(code: string): string[] {
  const actions = new Set<string>();
  for (const [, name = ""] of code.matchAll(/\bnew (\w+Command)\d*\(/g)) {
    if (!importedFrom("@aws-sdk/lib-dynamodb", code).includes(name)) continue;
    const known = commands[name];
    if (!known) throw new Error(`The action of ${name} is not known.`);
    for (const action of known) actions.add(action);
  }
  for (const [, kind = ""] of code.matchAll(/\b(Put|Update|Delete|ConditionCheck): ?\{/g)) {
    actions.add(members[kind] as string);
  }
  for (const [, index] of code.matchAll(/\bIndexName: "(\w+)"/g)) actions.add(`Query /index/${index}`);
  if (/"PK = :/.test(code)) actions.add("Query");
  return [...actions].sort();
}

const importedFrom = (name: string, code: string): string[] =>
  [...code.matchAll(/import \{([^}]*)\} from "([^"]+)"/g)]
    .filter(([, , from]) => from === name)
    .flatMap(([, names = ""]) => names.split(",").map((one) => one.trim().split(" ")[0] as string));

const read = new Map<FunctionName, Promise<string[]>>();

/** The actions on the table that a function can ask for: `Query /index/GSI1`. They are the same in every stage. */
export function tableActionsOf(name: FunctionName): Promise<string[]> {
  const actions = read.get(name) ?? actionsInSourcesOf(name);
  read.set(name, actions);
  return actions;
}

async function actionsInSourcesOf(name: FunctionName): Promise<string[]> {
  const { outputFiles } = await build({
    ...bundleOptions(name),
    minify: false,
    sourcemap: false,
    // Validators and credentials have nothing to do with the table.
    plugins: [],
    packages: "external",
    write: false,
    outdir: "dist/functions",
  });
  return actionsIn(outputFiles.map(({ text }) => text).join("\n"));
}
