/**
 * Makes one object at the provider. The provider keeps an answer of 500 under its idempotency key for a day, and may have
 * made the object all the same: https://docs.stripe.com/api/idempotent_requests, https://docs.stripe.com/error-low-level
 */

/** Keys that are tried in one call, so that it has an end. */
const keysTried = 3;

interface Making<Made> {
  make(key: string): Promise<Made>;
  /** What an earlier request has made. */
  find(): Promise<Made | undefined>;
}

/**
 * After a 500 the object is looked for, and only if there is none the next key is used. Concurrent calls for the same id
 * use the same keys in the same order.
 * @throws what `make` and `find` throw
 */
export async function createOnce<Made>(id: string, { make, find }: Making<Made>): Promise<Made> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await make(tried === 1 ? id : `${id}-${tried}`);
    } catch (error) {
      const { statusCode = 0 } = error as { readonly statusCode?: number };
      if (statusCode < 500) throw error;
      const made = await find();
      if (made !== undefined) return made;
      if (tried === keysTried) throw error;
    }
  }
}
