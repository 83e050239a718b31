/** A service that is stopped once it is not needed any more. */
interface Closable {
  close(): Promise<unknown>;
}

/** The services of one local stage that run. They are stopped in the opposite order of their start. */
export class Started {
  readonly #services: Closable[] = [];

  /**
   * Adds a started service. A service that calls a later one is added again after that one, so
   * that it stops first; closing it a second time does nothing.
   */
  add<Service extends Closable>(service: Service): Service {
    this.#services.push(service);
    return service;
  }

  async close(): Promise<void> {
    for (const service of this.#services.splice(0).reverse()) await service.close();
  }
}
