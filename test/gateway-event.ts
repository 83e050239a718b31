/** A request, for tests that call a function in their own process. */
export interface GatewayRequest {
  /** Email of the caller. Absent: without a token. */
  readonly as?: string | undefined;
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: object;
  readonly requestId?: string;
  /** When the gateway has received it, in epoch milliseconds. */
  readonly at: number;
}

/** The event with which the gateway calls a function. Its type is that of any handler's parameter. */
export function gatewayEvent(
  routeKey: string,
  { as, params, query, body, headers = {}, requestId = "r", at }: GatewayRequest,
): never {
  const claims = { token_use: "id", email: as, email_verified: "true" };
  return {
    ...{ routeKey, headers, pathParameters: params, queryStringParameters: query, isBase64Encoded: false },
    body: body === undefined ? undefined : JSON.stringify(body),
    requestContext: { requestId, timeEpoch: at, ...(as !== undefined && { authorizer: { jwt: { claims } } }) },
  } as never;
}
