/**
 * npm run changes -- <staging|production|ClubDelivery|ClubMail-staging|ClubMail-production>
 *   [--from cdk.out] [--accepted <file>] [--policy <file>] [--summary <file>]
 * Prints what a deploy of `cdk.out` would change, and fails when it would lose, open or silence something that no line of
 * tools/delivery/accepted.json accepts. Read-only. Exit code 0: nothing is refused, 1: something is, 2: usage error, or the
 * account could not be read (docs/deploy.md, "What a deploy must not lose").
 */
import { changes } from "../tools/delivery/command.ts";

process.exitCode = await changes(process.argv.slice(2), console.log);
