/** The position of a mapping in its stream. */
import { join } from "node:path";
import { JsonFile } from "../service-kit/json-file.ts";

interface Stored {
  /** The last finished sequence number of each lane; empty: none. */
  readonly done: readonly string[];
}

export class Checkpoint {
  readonly #file: JsonFile;
  readonly #done: string[];

  /**
   * Continues at the stored position.
   * @param directory absent: the position is not kept
   */
  constructor(directory: string | undefined, name: string, lanes: number) {
    this.#file = new JsonFile(directory && join(directory, `${name}.checkpoint.json`));
    const stored = (this.#file.read() as Stored | undefined)?.done;
    // When the number of lanes changes, items move to other lanes: every lane then begins at the position of the
    // slowest lane.
    const common = stored?.reduce((least, one) => (one < least ? one : least)) ?? "";
    this.#done = Array.from(
      { length: lanes },
      (_, lane) => (stored?.length === lanes ? stored[lane] : common) as string,
    );
  }

  of(lane: number): string {
    return this.#done[lane] as string;
  }

  /** Stores a lane's new position. */
  moveTo(lane: number, sequenceNumber: string): void {
    this.#done[lane] = sequenceNumber;
    this.#file.write(() => ({ done: this.#done }) satisfies Stored);
  }
}
