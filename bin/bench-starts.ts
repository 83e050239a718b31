/** `npx tsx bin/bench-starts.ts [rounds]`: prints what a cold start of each function loads, and how long it takes. */
import { measureStarts, startsTable } from "../bench/starts.ts";
import { buildAll } from "./build.ts";

await buildAll();
console.log(startsTable(await measureStarts(Number(process.argv[2] ?? 15))));
