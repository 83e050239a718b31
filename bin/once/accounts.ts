/**
 * npm run once -- accounts --from <file or folder> [--from <more>] [--out accounts.csv]
 * Writes the file with which Cognito imports the sign-in accounts of the present backend (docs/web-app.md). Exit code
 * 0: the file is written, 1: there is no account, 2: usage error or files that cannot be read.
 */
import { accountsCommand } from "../../tools/once/accounts/command.ts";

process.exitCode = await accountsCommand(process.argv.slice(2), console.log);
