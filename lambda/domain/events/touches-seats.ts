/** Which changes of an event its seats have to follow. Pure. */

/** Fields that the seats know nothing of. A field that is not named here counts as one that they follow. */
const besideSeats = new Set([
  "ename",
  "description",
  "partnerDescription",
  "elocation",
  "latitude",
  "longitude",
  "facebookUrl",
  "imageUrl",
  "attendeeFeedbackEnabled",
  "partnerFeedbackEnabled",
  "attendeeFeedbackQuestions",
  "partnerFeedbackQuestions",
]);

/** Whether a change of these fields can give people who wait a seat. The hot seats item is left alone otherwise. */
export const touchesSeats = (changed: readonly string[]): boolean => changed.some((name) => !besideSeats.has(name));
