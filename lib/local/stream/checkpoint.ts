/** How far a mapping has come in its stream. */
import { join } from "node:path";
import { JsonFile } from "../service-kit/json-file.ts";

interface Stored {
  /** The last sequence number that is done, by lane; empty: nothing is. */
  readonly done: readonly string[];
}

export class Checkpoint {
  readonly #file: JsonFile;
  readonly #done: string[];
  /** Whether there was one before this start. */
  readonly resumed: boolean;

  /**
   * Continues where the mapping stood.
   * @param directory absent: nothing is kept
   */
  constructor(directory: string | undefined, name: string, lanes: number) {
    this.#file = new JsonFile(directory && join(directory, `${name}.checkpoint.json`));
    const stored = (this.#file.read() as Stored | undefined)?.done;
    this.resumed = stored !== undefined;
    // Lanes share out the items anew when there are more or fewer of them: all of them begin where the last one stood.
    const common = stored?.reduce((least, one) => (one < least ? one : least)) ?? "";
    this.#done = Array.from(
      { length: lanes },
      (_, lane) => (stored?.length === lanes ? stored[lane] : common) as string,
    );
  }

  of(lane: number): string {
    return this.#done[lane] as string;
  }

  /** Notes that a lane has come as far as a sequence number. Resolves when that is on disk. */
  async moveTo(lane: number, sequenceNumber: string): Promise<void> {
    this.#done[lane] = sequenceNumber;
    await this.#file.write(() => ({ done: this.#done }) satisfies Stored);
  }
}
