/** Endpoints of AWS's services that are not AWS's own. */

/**
 * The endpoint in the settings of AWS's SDKs; undefined: AWS's own.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export const endpointOf = (service: "S3" | "COGNITO_IDENTITY_PROVIDER" | "LAMBDA"): string | undefined =>
  process.env[`AWS_ENDPOINT_URL_${service}`] ?? process.env.AWS_ENDPOINT_URL;

/**
 * The address of an object at another endpoint. AWS has a host name for each bucket, and an endpoint elsewhere the bucket
 * in its path. https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 * @param endpoint undefined: the address stays as it is
 */
export function objectAddress(url: string, bucket: string, endpoint: string | undefined): string {
  const { host, pathname, search } = new URL(url);
  if (endpoint === undefined || !host.startsWith(`${bucket}.`)) return url;
  return `${endpoint.replace(/\/$/, "")}/${bucket}${pathname}${search}`;
}
