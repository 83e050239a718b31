/** Says which changes of an event also change its seats item. Pure. */

/**
 * Fields that the seats item does not depend on. Every other field counts as one that it depends on, also a new one.
 */
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

/** Whether a change of these fields can give a seat to a person who waits. Otherwise the hot item is not written. */
export const touchesSeats = (changed: readonly string[]): boolean => changed.some((name) => !besideSeats.has(name));
