/** Compiles the sources with all their mutants in them; which one is active is decided while the tests run. */
import { createRequire } from "node:module";
import { relative } from "node:path";
import { readPlan } from "./plan.mjs";

const swc = createRequire(import.meta.url)("@swc/jest");
const { sources } = readPlan();

export default {
  createTransformer(settings) {
    const compiler = swc.createTransformer(settings);
    const withMutants = (source, path, { config }) => sources[relative(config.rootDir, path)] ?? source;
    return {
      process: (source, path, options) => compiler.process(withMutants(source, path, options), path, options),
      getCacheKey: (source, path, options) => compiler.getCacheKey(withMutants(source, path, options), path, options),
    };
  },
};
