/**
 * npm run changes -- staging
 * Prints what a deploy of `cdk.out` would change, and refuses what would lose data or an address. It only reads. Exit
 * code 0: nothing is lost, 1: something is, 2: wrong use, or the account could not be asked (docs/deploy.md, "What a
 * deploy must not lose").
 */
import { changes } from "../tools/delivery/command.ts";

process.exitCode = await changes(process.argv.slice(2), console.log);
