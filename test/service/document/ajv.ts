/** Validation by schemas of the reference. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { canonicalEmail } from "#kit/text/email.ts";

/** An ajv that knows the formats of the document. */
export const documentAjv = (): Ajv2020 =>
  new Ajv2020({
    strict: false,
    allErrors: true,
    // `npm run generate` has linted the schemas.
    validateSchema: false,
    formats: {
      email: (text) => canonicalEmail(text) !== undefined,
      "date-time": (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text),
    },
  });
