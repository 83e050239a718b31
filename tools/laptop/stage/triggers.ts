/** Starts the functions, and their callers besides the gateway: mappings of stream and queues, and schedules. */
import { type LocalFunctions, startFunctions } from "../functions/index.ts";
import type { Schedules } from "../schedules/index.ts";
import { startClubSchedules, startMappings } from "./event-services.ts";
import { endpointsOf, type StageServices } from "./services.ts";
import type { StageSetup } from "./setup.ts";

export function startStageFunctions(setup: StageSetup, services: StageServices): LocalFunctions {
  const { options, template, log, requests, started } = setup;
  const functions = started.add(
    startFunctions({
      template,
      endpoints: endpointsOf(services),
      paymentsUrl: services.payments.url,
      log,
      standIns: options.standIns,
      concurrency: options.concurrency,
      onPrinted: (...printed) => requests.logged(...printed),
      onInvoked: options.onInvoked,
    }),
  );
  // The bus calls functions: it stops before they do.
  started.add(services.bus);
  return functions;
}

export async function startTriggers(
  setup: StageSetup,
  services: StageServices,
  functions: LocalFunctions,
): Promise<Schedules> {
  setup.started.add(await startMappings(setup, services, functions));
  return setup.started.add(startClubSchedules(setup, services.deliver));
}
