/**
 * npm run upkeep -- python
 * Installs the tools in Python into `.cache/python`, before the tests and commands that use them: the tests of a machine
 * without MiniStack skip the comparisons with it. Exit code 0: each is installed, or this machine cannot run it, which it says.
 */
import { NoPythonTool, pythonTool, type Tool, tools } from "../../tools/kit/python/environment.ts";

for (const [name, skipped] of Object.entries(tools)) {
  const begun = performance.now();
  try {
    await pythonTool(name as Tool);
    console.log(`${name} is installed (${((performance.now() - begun) / 1000).toFixed(1)} s).`);
  } catch (error) {
    if (!(error instanceof NoPythonTool)) throw error;
    console.error(`SKIPPED: ${skipped}, because ${error.message}.`);
  }
}
