/** Registrations, their payments and the door. The suites share one stage; `-t` picks tests of one of them. */
import "./api-codes.suite.ts";
import "./api-due-mails.suite.ts";
import "./api-guests.suite.ts";
import "./api-no-shows.suite.ts";
import "./api-links.suite.ts";
import "./api-links-again.suite.ts";
import "./api-payment-webhook.suite.ts";
import "./api-plus-ones.suite.ts";
import "./api-registration-life.suite.ts";
import "./api-registrations.suite.ts";
import "./api-report.suite.ts";
import "./api-door.suite.ts";
import "./api-transfer.suite.ts";
