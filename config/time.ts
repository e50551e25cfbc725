/** Lengths of time in milliseconds. A UTC day always has this length: Unix time has no leap seconds. */
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
/** Of 365 days. */
export const year = 365 * day;
