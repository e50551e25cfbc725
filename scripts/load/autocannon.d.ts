/** What is used of autocannon 9, which brings no types (https://github.com/mcollina/autocannon#api). */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Seconds until an answer counts as timed out. */
    timeout: number;
    /** Errors after which the run ends early. */
    bailout: number;
    /** Sent in rotation by each connection. */
    requests: { method: string; path: string }[];
    headers: Record<string, string>;
  }

  export interface Result {
    /** Seconds. */
    duration: number;
    /** Failed connections and timeouts. */
    errors: number;
    timeouts: number;
    statusCodeStats: Record<string, { count: number }>;
    /** Per second. */
    requests: { min: number; average: number; total: number };
    /** Bytes, heads included; `average` per second. */
    throughput: { average: number; total: number };
  }

  /** Emits `response` (client, status, bytes, milliseconds) per answer and `tick` every second. */
  export type Run = EventEmitter & PromiseLike<Result> & { stop(): void };

  export default function autocannon(options: Options): Run;
}
