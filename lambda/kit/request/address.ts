/**
 * The base address of the API, as the caller has reached it: by the gateway's own name or the stage's.
 * @param headers of the request; the gateway adds `x-forwarded-proto`, and only a laptop's is `http`
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html)
 */
export const baseAddress = (headers: Readonly<Record<string, string | undefined>>): string =>
  `${headers["x-forwarded-proto"] === "http" ? "http" : "https"}://${headers.host}`;
