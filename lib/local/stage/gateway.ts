/** Starts the API: gateway, token check and access log; and leads the payment provider's webhook to it. */
import type { LocalFunctions } from "../functions/index.ts";
import { type LocalHttpApi, startHttpApi, type VerifierFactory } from "../http-api/index.ts";
import { createTokenVerifier, type IdentityService } from "../identity/index.ts";
import type { StageServices } from "./services.ts";
import type { StageSetup } from "./setup.ts";

export async function startGateway(
  { template, ports, log, started }: StageSetup,
  { identity, payments }: StageServices,
  functions: LocalFunctions,
): Promise<LocalHttpApi> {
  const api = started.add(
    await startHttpApi({
      port: ports.api,
      template,
      functions,
      verifier: verifierOf(identity),
      accessLog: (line) => log.write("access", line),
    }),
  );
  // The payment provider calls the API: it stops before the API does.
  started.add(payments);
  payments.deliverTo(`${api.url}/payments/webhook`);
  return api;
}

/** Trusts the tokens of the local user pool, and of no other issuer. */
const verifierOf =
  (identity: IdentityService): VerifierFactory =>
  ({ Issuer, Audience }) => {
    if (Issuer !== identity.issuer) throw new Error(`Nothing local issues tokens as ${Issuer}.`);
    return createTokenVerifier({ issuer: Issuer, audience: Audience, jwks: identity.jwks });
  };
