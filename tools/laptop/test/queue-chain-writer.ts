/**
 * Commits outbox rows one after the other, prints the number of each once it is committed, and kills its own process: no
 * pause of the machine can change what is under way then. With files it dies after `count` commits. Without files it
 * dies while messages are in the queue that the stream will not bring again: the consumer never ends, and the relay has
 * its second batch.
 */
import { startChain } from "./queue-chain.ts";

const [directory = "", first = "0", count = "1", keeps = "true"] = process.argv.slice(2);
const die = () => process.kill(process.pid, "SIGKILL");
const forever = 2 ** 31 - 1;
let batches = 0;

const chain = await startChain(directory, {
  keeps: keeps === "true",
  consumerMilliseconds: keeps === "true" ? 50 : forever,
  onRelay: () => {
    batches += 1;
    if (keeps !== "true" && batches === 2) die();
  },
});
for (let number = Number(first); number < Number(first) + Number(count); number += 1) {
  await chain.commit(number);
  console.log(number);
}
die();
