/**
 * `node bin/start.mjs <command> [arguments]`: runs the TypeScript file of this folder with the command's name. Before
 * that it tells an old Node and missing packages in one sentence, so it imports no package, and nothing here is newer
 * than Node 14.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const jsonOf = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** Says when this Node is none of those that the tests run on, and goes on. */
function warnOfUntested() {
  const tested = jsonOf("package.json").engines.node.match(/\d+/g);
  const { node } = process.versions;
  if (tested.includes(node.split(".")[0])) return;
  console.error(`This is Node ${node}. The tests run on Node ${tested.join(" and ")}; others may work.`);
}

/** Why no command can run here, as one sentence; undefined when all is there. */
function obstacle() {
  const { engines, dependencies, devDependencies } = jsonOf("package.json");
  const least = /\d+/.exec(engines.node)[0];
  const { node } = process.versions;
  if (Number(node.split(".")[0]) < Number(least)) {
    return `This is Node ${node}, and Node ${least} or later is needed: install it from https://nodejs.org.`;
  }
  if (!existsSync(join(root, "node_modules"))) return "The packages are not installed. Run: npm ci";
  for (const [name, wanted] of Object.entries({ ...dependencies, ...devDependencies })) {
    const file = `node_modules/${name}/package.json`;
    if (!existsSync(join(root, file))) return `The package ${name} is not installed. Run: npm ci`;
    const { version } = jsonOf(file);
    if (version !== wanted) return `The package ${name} is ${version} and must be ${wanted}. Run: npm ci`;
  }
  return undefined;
}

/** A source that cannot be read as TypeScript, or that imports what is not there: its place is in the message. */
const isBrokenSource = ({ name, code }) =>
  name === "TransformError" || name === "SyntaxError" || code === "ERR_MODULE_NOT_FOUND";

/** Runs the command in this process, so that a signal needs no way through a process between npm and the command. */
async function run() {
  const [node, , command, ...args] = process.argv;
  const file = join(root, "bin", `${command}.ts`);
  process.argv = [node, file, ...args];
  const { register } = await import("tsx/esm/api");
  register();
  await import(pathToFileURL(file).href);
}

const sentence = obstacle();
if (sentence !== undefined) {
  console.error(sentence);
  process.exitCode = 1;
} else {
  warnOfUntested();
  run().catch((problem) => {
    console.error(isBrokenSource(problem) ? problem.message : problem);
    process.exit(1);
  });
}
