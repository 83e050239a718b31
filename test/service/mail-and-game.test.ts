/** Mails, prizes and the game, and two admins who edit the same. The suites share one stage; `-t` picks tests of one of them. */
import "./api-btx.suite.ts";
import "./api-emails.suite.ts";
import "./api-prizes.suite.ts";
import "./api-two-admins.suite.ts";
