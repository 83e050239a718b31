/** How long a call to AWS may take. */

/**
 * The HTTP settings of an AWS client. A try that has no whole answer in time fails with a `TimeoutError`.
 *
 * Two settings are needed for that. Without `throwOnRequestTimeout` the client only logs that the time is over, and
 * waits on. The timer of the request ends with the header of the answer, so an answer that stops in its middle is found
 * by the socket.
 * https://docs.aws.amazon.com/AWSJavaScriptSDK/v3/latest/Package/-smithy-types/Interface/NodeHttpHandlerOptions/
 * @param milliseconds of one try; the client may make several
 */
export const callLimits = (milliseconds: number) => ({
  connectionTimeout: 1_000,
  requestTimeout: milliseconds,
  socketTimeout: milliseconds,
  throwOnRequestTimeout: true,
});
