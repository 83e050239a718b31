/** Every route with every kind of caller, and with hostile input. The suites share one stage; `-t` picks tests of one of them. */
import "./api-access.suite.ts";
import "./api-hostile.suite.ts";
