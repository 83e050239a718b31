/** Commits outbox rows in a loop until it is killed, and prints the number of each once it is committed. */
import { startChain } from "./queue-chain.ts";

const [directory = "", first = "0", keeps = "true"] = process.argv.slice(2);
const chain = await startChain(directory, { consumerMilliseconds: 50, keeps: keeps === "true" });
for (let number = Number(first); ; number += 1) {
  await chain.commit(number);
  console.log(number);
}
