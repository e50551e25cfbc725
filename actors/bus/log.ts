/** The log of the bus; a pino logger fits. */
export interface BusLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silent: BusLog = { info: () => {}, warn: () => {}, error: () => {} };

/** The text of whatever was thrown. */
export const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // A refused dual-stack connect is an AggregateError: no message, but a code.
  return error.message || ('code' in error ? String(error.code) : error.name);
};
