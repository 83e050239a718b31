/** Ctrl-C in a command that ends in order. */

/** @returns a signal that the first Ctrl-C aborts; another one ends the process at once */
export function interrupted(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      // npm may forward the signal that the terminal has sent already.
      if (first > 0 && Date.now() - first > 1_000) process.exit(130);
      first ||= Date.now();
      controller.abort();
    });
  }
  return controller.signal;
}
