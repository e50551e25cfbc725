import type { Clock } from '../kernel/clock.ts';

/** The part of a pino logger that is used. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What all parts of an HTTP client share. */
export interface Around {
  /** Id of the source, for logs and errors. */
  source: string;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  limits: Limits;
  log: Log | undefined;
}

/** The bounds of an HTTP client; times in milliseconds. */
export interface Limits {
  /** Largest body of an API that states no own, in bytes after decompression. */
  maxBody: number;
  /** Most different requests under way. */
  maxFlights: number;
  /** Most connections of the polls to one host, or to the gateway. */
  connections: number;
  /** Most rounds over the hosts after the first. */
  retries: number;
  /** Consecutive failures that open the breaker; never fewer than the API has hosts. */
  failures: number;
  /** Timers that are later than this show that the process is too busy to judge an upstream. */
  lag: number;
  /** A request aborted before this is not evidence about the host: its caller had a short deadline. */
  patience: number;
  /** How much later than its answer an upstream may have counted a request: each window of ours is longer by this. */
  spread: number;
  /** How long after we gave up waiting for its answer an upstream may still count a request. */
  abandoned: number;
}

export const defaultLimits: Readonly<Limits> = {
  maxBody: 16 * 2 ** 20,
  maxFlights: 1_024,
  connections: 16,
  retries: 2,
  failures: 5,
  lag: 100,
  patience: 1_000,
  spread: 250,
  abandoned: 5_000,
};
