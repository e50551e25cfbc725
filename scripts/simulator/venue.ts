/** The form of a simulated venue: what it lists, how it answers, how it refuses. */
import type { Model, VenueMarkets } from './model.ts';

/** One request as a venue sees it; `now` is the second in which it is answered. */
export interface Ask {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  now: number;
  model: Model;
}

/** A venue's own error answer. */
export interface Refusal {
  status: number;
  body: unknown;
}

/** Thrown by a route; the server sends the refusal. */
export class Refused extends Error {
  override name = 'Refused';
  readonly refusal: Refusal;
  constructor(status: number, body: unknown) {
    super(`refused with ${status}`);
    this.refusal = { status, body };
  }
}

/** One endpoint: a pure function of the ask that returns the JSON value to send, or the text of a table (CSV). */
export interface Route {
  answer(ask: Ask): unknown;
}

/** A venue of the simulator: one of these per file in venues/. */
export interface SimulatedVenue extends VenueMarkets {
  /**
   * Every host that answers for the venue, WebSocket hosts included; all of them answer the same. Of several venues
   * with one host, the first that has a route for the path answers.
   */
  hosts: readonly string[];
  route(path: string): Route | undefined;
  /** How the venue says no, as the faults have it say. */
  refusals: Readonly<Record<'rate_limit' | 'ban' | 'server_error', Refusal>>;
  /** Text frames with which the venue replies to a text frame; absent when it has no WebSocket channel. */
  reply?(frame: string): string[];
  /** What the venue goes on telling those who subscribe. */
  channels?: Channels;
}

/** Channels of a venue that tell something every so often. */
export interface Channels {
  /** Milliseconds between two messages. */
  every: number;
  /** The channels that a text frame subscribes to, on a connection to this address. */
  named(frame: string, to: { host: string; path: string }): readonly string[];
  /** The channels that a text frame gives up. */
  ended?(frame: string, to: { host: string; path: string }): readonly string[];
  /** A message with its number on the connection, where the venue counts them. */
  numbered?(message: unknown, number: number): unknown;
  /**
   * The JSON values to send to a connection with these channels; `first` in answer to the subscription. A pure function of
   * its arguments.
   */
  messages(
    channels: ReadonlySet<string>,
    at: { now: number; model: Model; first: boolean },
  ): readonly unknown[];
  /** Every frame of the connections is a gzip member, replies included. */
  gzip?: true;
}
