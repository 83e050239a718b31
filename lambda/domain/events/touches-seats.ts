/** Which changes of an event also change its seats item. Pure. */

/** Fields that the seats item does not depend on. It is assumed to depend on every other field, also a new one. */
const unrelatedFields = new Set([
  "ename",
  "description",
  "partnerDescription",
  "elocation",
  "mails",
  "replyTo",
  "latitude",
  "longitude",
  "facebookUrl",
  "imageUrl",
  "attendeeFeedbackEnabled",
  "partnerFeedbackEnabled",
  "attendeeFeedbackQuestions",
  "partnerFeedbackQuestions",
]);

/** Whether a change of these fields can free seats for waiting people. Otherwise the hot item is not written. */
export const touchesSeats = (changed: readonly string[]): boolean => changed.some((name) => !unrelatedFields.has(name));
