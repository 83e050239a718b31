/** The estimated size of an item is never less than the size that the table counts. */

import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { assertFits, valueSize } from "#kit/table/item-size.ts";
import { itemSize } from "../../tools/laptop/dynamodb/item-size.ts";
import type { AttributeMap } from "../../tools/laptop/dynamodb/protocol.ts";

const leaf = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean(), fc.constant(null));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie("value")), fc.dictionary(fc.string(), tie("value"))),
}));

test("an item is at most as large as its estimate, and without numbers hardly smaller", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), value), (item) => {
      const exact = itemSize(marshall(item) as unknown as AttributeMap);
      expect(valueSize(item)).toBeGreaterThanOrEqual(exact);
      const numbers = JSON.stringify(item).match(/\d+/g)?.length ?? 0;
      expect(valueSize(item) - exact).toBeLessThanOrEqual(3 + Object.keys(item).length + 21 * numbers);
    }),
  );
});

test("an item that is too large is refused with a sentence", () => {
  expect(() => assertFits(valueSize(["x".repeat(1_020)]), "/here", { maxBytes: 1_024 })).not.toThrow();
  expect(() => assertFits(valueSize(["\u00fc".repeat(1_020)]), "/here", { maxBytes: 1_024 })).toThrow(
    expect.objectContaining({
      code: "VALIDATION",
      details: { issues: [{ path: "/here", message: "must be shorter: all of it together may have 1 KB" }] },
    }),
  );
});
