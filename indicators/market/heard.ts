/** What was not heard for a while is said to be so, by one rule for order books, trades and prices. */

/** Time without news after which an answer says so, ms. */
export const unheardAfter = 10_000;

/**
 * When something was last heard, Unix ms: when it was received, or the time that its exchange states for it where that is
 * earlier. A connection may bring nothing but pings, and an exchange may repeat what is days old.
 */
export const heardAt = (received: number, stated: number | null | undefined): number =>
  Math.min(received, stated ?? received);

/** The mark of an answer: when it was heard, where that is more than ten seconds before `now`, Unix ms; else nothing. */
export const unheard = (heard: number, now: number): { unheard_since?: number } =>
  now - heard > unheardAfter ? { unheard_since: heard } : {};
