/** Messages of WebSocket channels, in health and under the faults that a message can have. */
import { gzipSync } from 'node:zlib';
import type { Clock } from '../../actors/kernel/clock.ts';
import { damages } from './damage.ts';
import type { ActiveFault, FaultKind, Faults } from './faults.ts';
import type { Model } from './model.ts';
import type { Channels } from './venue.ts';
import type { Connection } from './websocket.ts';

const second = 1_000;
/** Longest past that is sent after a pause, ms. */
const mostLate = 10_000;

/** Most channels of one connection. */
const most = 1_000;

/** The text of a message under the faults that do not end the connection; null sends none. */
const changes: Readonly<
  Partial<Record<FaultKind, (message: unknown, fault: ActiveFault) => string | null>>
> = {
  stall: () => null,
  garbage: () => '\u0001{"a":]%%',
  html: () => '<html></html>',
  frozen: (message) => JSON.stringify(message),
  ...Object.fromEntries(
    Object.entries(damages).map(([kind, damage]) => [
      kind,
      (message: unknown, fault: ActiveFault) => JSON.stringify(damage(message, fault)),
    ]),
  ),
};

/** True for a fault of messages: the connection itself opens. */
export const spares = (kind: FaultKind): boolean => kind in changes && kind !== 'stall';

export interface ChannelContext {
  channels: Channels;
  connection: Connection;
  model: Model;
  faults: Faults;
  clock: Pick<Clock, 'after'>;
  /** Where the connection was made to, for the faults. */
  host: string;
  path: string;
}

/**
 * Buffers for frames of at most a kilobyte: those that zlib makes for larger texts cost more than the compression. The bytes
 * are the same.
 */
const small = { windowBits: 12, memLevel: 5, chunkSize: 1_024 };

/** Sends a text, packed where the venue packs its frames. */
export function sendOn(
  connection: Connection,
  { gzip = undefined }: Pick<Channels, 'gzip'>,
  text: string,
): void {
  connection.send(gzip ? gzipSync(text, small) : text);
}

/** The subscriptions of one connection. */
export class Subscriptions {
  readonly #context: ChannelContext;
  readonly #channels = new Set<string>();
  #cancel: (() => void) | null = null;
  #ended = false;
  /** Messages sent, and the last second sent. */
  #count = 0;
  #last = 0;

  constructor(context: ChannelContext) {
    this.#context = context;
  }

  /** Subscribes, where the frame asks for that and it is not done yet. */
  hear(frame: string): void {
    for (const one of this.#context.channels.ended?.(frame, this.#context) ?? [])
      this.#channels.delete(one);
    const asked = this.#context.channels
      .named(frame, this.#context)
      .filter((one) => !this.#channels.has(one));
    const added = new Set(asked.slice(0, most - this.#channels.size));
    if (added.size === 0 || this.#ended) return;
    for (const channel of added) this.#channels.add(channel);
    this.#tell(added, this.#context.model.now(), true);
    if (this.#cancel === null) this.#plan();
  }

  end(): void {
    this.#ended = true;
    this.#cancel?.();
  }

  #plan(): void {
    const { channels, clock, model } = this.#context;
    this.#last ||= model.now();
    this.#cancel = clock.after(channels.every, () => {
      const now = model.now();
      // Timers are late: a second that was passed over is sent too.
      const from = Math.max(this.#last + second, now - mostLate);
      for (let at = from; at <= now; at += second) this.#tell(this.#channels, at, false);
      this.#last = now;
      if (!this.#ended) this.#plan();
    });
  }

  /** Sends the messages of these channels, changed by a fault. */
  #tell(names: ReadonlySet<string>, at: number, first: boolean): void {
    const { channels, connection, model, faults, host, path } = this.#context;
    const fault = faults.hit(host, path);
    const now = fault?.kind === 'frozen' ? fault.since : at;
    const damage = fault && changes[fault.kind];
    const change = fault
      ? damage && ((message: unknown) => damage(message, fault))
      : (message: unknown) => JSON.stringify(message);
    if (!change) {
      this.end();
      connection.close(1012);
      return;
    }
    for (const message of channels.messages(names, { now, model, first })) {
      const text = change(channels.numbered?.(message, this.#count) ?? message);
      this.#count += 1;
      if (text !== null) sendOn(connection, channels, text);
    }
  }
}
