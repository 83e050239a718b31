/** A random search ends at the first failure: that there is one is enough, and the least value that fails takes long to find. */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
