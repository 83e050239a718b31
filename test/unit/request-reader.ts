/** Reads requests as a route with this contract does. */
import { compileValidator } from "#kit/schema/compile.ts";
import { issuesOf } from "#kit/schema/validation.ts";

type Contract = Parameters<typeof compileValidator>[0];

/** The issues of a request, and the input that a handler would get. */
export function reader(contract: Contract) {
  const validator = compileValidator(contract);
  return ({ params = {}, query = {}, body = {} }: { params?: object; query?: object; body?: unknown }) => {
    const request = { pathParameters: { ...params }, queryStringParameters: { ...query }, body };
    return { issues: issuesOf(validator, request), request };
  };
}
/** The same for a contract that describes only a body. */
export const bodyReader = (schema: NonNullable<Contract["body"]>) => {
  const read = reader({ body: schema });
  return (body: unknown) => {
    const { issues, request } = read({ body });
    return { issues, body: request.body };
  };
};
