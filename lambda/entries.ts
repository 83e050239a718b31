/** The entry file of every Lambda function. Each is bundled on its own. */
export const functionEntries = {
  events: "lambda/events/index.ts",
  images: "lambda/images/index.ts",
  registrations: "lambda/registrations/index.ts",
  users: "lambda/users/index.ts",
  "cache-header": "lambda/images/cache-header.ts",
} as const;

export type FunctionName = keyof typeof functionEntries;
