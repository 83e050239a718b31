/** Timeouts of calls to AWS. */

/**
 * The HTTP settings of an AWS client. A try without a complete response in time fails with a `TimeoutError`.
 *
 * Two settings are needed for that. Without `throwOnRequestTimeout` the client only logs the timeout, and keeps waiting.
 * The request's timer ends with the response header, so a response that stalls afterwards needs the socket's timeout.
 * https://docs.aws.amazon.com/AWSJavaScriptSDK/v3/latest/Package/-smithy-types/Interface/NodeHttpHandlerOptions/
 * @param milliseconds of one try; the client may make several
 */
export const callLimits = (milliseconds: number) => ({
  connectionTimeout: 1_000,
  requestTimeout: milliseconds,
  socketTimeout: milliseconds,
  throwOnRequestTimeout: true,
});
