/** The entry file of each Lambda function, each bundled separately. */
import { apiFunctions } from "#api/functions.ts";
import { consumers, otherFunctions } from "#consumers/functions.ts";

export type FunctionName = keyof typeof apiFunctions | keyof typeof consumers | keyof typeof otherFunctions;

const inApi = Object.keys(apiFunctions).map((name) => [name, `lambda/api/${name}/index.ts`]);
const inConsumers = Object.keys({ ...consumers, ...otherFunctions }).map((name) => [
  name,
  `lambda/consumers/${name}.ts`,
]);

export const functionEntries: Readonly<Record<FunctionName, string>> = Object.fromEntries([...inApi, ...inConsumers]);
