/**
 * What is hidden and what is refused. The suites share one stage; `-t` picks tests of one of them. The first one looks for
 * an active event before the other one makes any.
 */
import "./api-hidden-events.suite.ts";
import "./api-errors.suite.ts";
