/**
 * `node bin/start.mjs <command> [arguments]`: runs the TypeScript file of this folder, or of its folders `once` and
 * `upkeep`, with the command's name; with `--help` it only prints the comment at the top of that file. First it reports an
 * old Node or missing packages, so it imports no package, and its syntax works in Node 14.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const jsonOf = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** Whether this was said in the last day. Notes that it is said now. */
function wasTold(node) {
  const note = join(root, ".cache/node-version-told");
  const told =
    existsSync(note) && readFileSync(note, "utf8") === node && Date.now() - statSync(note).mtimeMs < 86_400_000;
  if (told) return true;
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileSync(note, node);
  return false;
}

/** Says once a day when this is not the Node of the functions, which `engines` names first. The others that it names are tested, too. */
function warnOfOtherNode() {
  const [first, ...others] = jsonOf("package.json").engines.node.match(/\d+/g);
  const { node } = process.versions;
  const major = node.split(".")[0];
  if (major === first || wasTold(node)) return;
  const known = others.includes(major);
  const why = known ? "gets no security updates; the tests run on it, too" : "is not tested";
  console.error(`This is Node ${node}, which ${why}. Install Node ${first}: https://nodejs.org`);
}

/** Why no command can run here; undefined when all requirements are met. */
function obstacle() {
  const { engines, dependencies, devDependencies } = jsonOf("package.json");
  const least = Math.min(...engines.node.match(/\d+/g).map(Number));
  const { node } = process.versions;
  if (Number(node.split(".")[0]) < least) {
    return `This is Node ${node}, and Node ${least} or later is needed. Install Node 24: https://nodejs.org`;
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

/** A syntax error, or the import of a missing file: the message has the location. */
const isBrokenSource = ({ name, code }) =>
  name === "TransformError" || name === "SyntaxError" || code === "ERR_MODULE_NOT_FOUND";

/** These make their help of what they accept. */
const ownHelp = ["local", "ops"];

const isHelp = (word) => word === "--help" || word === "-h";

/** The name of a command, such as `once import`, and its arguments. Of a folder of commands, the first argument names one. */
function chosen(command, [name, ...others]) {
  const folder = join(root, "bin", command);
  if (!existsSync(folder)) return { script: command, args: [name, ...others].filter((word) => word !== undefined) };
  const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ""));
  if (names.includes(name)) return { script: `${command} ${name}`, args: others };
  const usage = `Usage: npm run ${command} -- <${names.join("|")}> [arguments]`;
  if (!isHelp(name)) {
    console.error(usage);
    process.exit(2);
  }
  console.log(`${usage}; of each: npm run ${command} -- <name> --help`);
  process.exit(0);
}

/** Runs the command in this process, so that signals from npm reach it directly. */
async function run() {
  const [node, , command, ...given] = process.argv;
  const { script, args } = chosen(command, given);
  const { register } = await import("tsx/esm/api");
  register();
  if (args.some(isHelp) && !ownHelp.includes(script)) {
    const { helpOf } = await import("../tools/kit/usage.ts");
    console.log(helpOf(script));
    return;
  }
  const file = join(root, "bin", `${script.replace(" ", "/")}.ts`);
  process.argv = [node, file, ...args];
  await import(pathToFileURL(file).href);
}

const sentence = obstacle();
if (sentence !== undefined) {
  console.error(sentence);
  process.exitCode = 1;
} else {
  warnOfOtherNode();
  run().catch((problem) => {
    console.error(isBrokenSource(problem) ? problem.message : problem);
    process.exit(1);
  });
}
