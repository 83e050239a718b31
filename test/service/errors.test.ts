/**
 * What is hidden and what is refused. The suites share one stage; `-t` picks tests of one of them. Neither leaves an event
 * to come on it before the other one looks for the active event.
 */
import "./api-hidden-events.suite.ts";
import "./api-errors.suite.ts";
