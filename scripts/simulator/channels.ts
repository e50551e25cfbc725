/** Messages of WebSocket channels, in health and under the faults that a message can have. */
import type { Clock } from '../../actors/kernel/clock.ts';
import type { FaultKind, Faults } from './faults.ts';
import { emptied, misshapen } from './faults.ts';
import type { Model } from './model.ts';
import type { Channels } from './venue.ts';
import type { Connection } from './websocket.ts';

/** Most channels of one connection. */
const most = 100;

/** What the faults of a message do to its text; `stall` sends none. Any other fault ends the connection. */
const changes: Readonly<Partial<Record<FaultKind, (message: unknown) => string | null>>> = {
  stall: () => null,
  latency: (message) => JSON.stringify(message),
  garbage: () => '\u0001{"a":]%%',
  html: () => '<html></html>',
  frozen: (message) => JSON.stringify(message),
  wrong_shape: (message) => JSON.stringify(misshapen(message)),
  empty: (message) => JSON.stringify(emptied(message)),
};

/** True for a fault of messages: the connection itself opens. */
export const spares = (kind: FaultKind): boolean => kind in changes && kind !== 'stall';

export interface Told {
  channels: Channels;
  connection: Connection;
  model: Model;
  faults: Faults;
  clock: Pick<Clock, 'after'>;
  /** Where the connection was made to, for the faults. */
  host: string;
  path: string;
}

/** The subscriptions of one connection. */
export class Subscriptions {
  readonly #told: Told;
  readonly #timers = new Map<string, () => void>();
  #ended = false;

  constructor(told: Told) {
    this.#told = told;
  }

  /** Subscribes, where the frame asks for that and it is not done yet. */
  hear(frame: string): void {
    const channel = this.#told.channels.named(frame);
    if (channel === null || this.#timers.has(channel) || this.#timers.size >= most) return;
    this.#tell(channel, true);
  }

  end(): void {
    this.#ended = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #tell(channel: string, first: boolean): void {
    const { channels, connection, clock } = this.#told;
    const text = this.#text(channel, first);
    if (text !== null) connection.send(text);
    if (this.#ended) return;
    const cancel = clock.after(channels.every, () => this.#tell(channel, false));
    this.#timers.set(channel, cancel);
  }

  /** The text to send; null for none. */
  #text(channel: string, first: boolean): string | null {
    const { channels, connection, model, faults, host, path } = this.#told;
    const fault = faults.hit(host, path);
    const now = fault?.kind === 'frozen' ? fault.since : model.now();
    const message = channels.message(channel, { now, model, first });
    if (!fault) return JSON.stringify(message);
    const change = changes[fault.kind];
    if (change) return change(message);
    this.end();
    connection.close(1012);
    return null;
  }
}
