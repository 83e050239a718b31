/**
 * Commits some outbox rows one after the other, and prints the number of each once it is committed. Kills its own
 * process after the last one, so that no pause of the machine lets the consumer finish before the kill.
 */
import { startChain } from "./queue-chain.ts";

const [directory = "", first = "0", count = "1", keeps = "true"] = process.argv.slice(2);
const chain = await startChain(directory, { consumerMilliseconds: 50, keeps: keeps === "true" });
for (let number = Number(first); number < Number(first) + Number(count); number += 1) {
  await chain.commit(number);
  console.log(number);
}
process.kill(process.pid, "SIGKILL");
