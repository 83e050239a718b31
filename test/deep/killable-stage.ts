/** A local stage in a process of its own, which a test can kill: `tsx killable-stage.ts <assembly> <directory>`. */
import { startLocalStage } from "../../tools/laptop/stage/index.ts";

const [assembly = "", directory = ""] = process.argv.slice(2);
const stage = await startLocalStage({ assembly, directory, port: 0, seed: false, quiet: true, visibility: 20 });
process.send?.({ outputs: stage.outputs });
process.on("message", async (message) => {
  const { settle, token } = message as { settle?: true; token?: string };
  if (settle) {
    await stage.settled();
    process.send?.({ settled: true, deadLetters: stage.deadLetters().map((letter) => JSON.stringify(letter)) });
  }
  if (token !== undefined) process.send?.({ email: token, token: await stage.identity.idToken(token) });
});
