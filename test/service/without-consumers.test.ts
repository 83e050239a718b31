/** What needs no consumer of messages. The suites share one stage; `-t` picks tests of one of them. */
import "./api-cursors.suite.ts";
import "./api-idempotency.suite.ts";
import "./api-one-write.suite.ts";
import "./api-payments.suite.ts";
import "./api-register-again.suite.ts";
import "./api-too-often.suite.ts";
import "./api-rows.suite.ts";
import "./api-sizes.suite.ts";
import "./api-user-accounts.suite.ts";
