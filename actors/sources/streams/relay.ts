/** Channels of an exchange that are passed on as they come: one subscription for all who ask for the same, as long as any does. */
import { type Cancel, type Clock, within } from '../../kernel/clock.ts';
import type { Instrument, RelayedParams, RelayedReply } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import { type StreamOf, streamActor } from './actor.ts';
import type { RelayStream } from './stream.ts';

/** A subscription for which nobody has asked for so long ends, ms. */
const idle = 15_000;
/** How long a question waits for a frame, ms. */
const patience = 250;
/** Subscriptions at once, and the newest frames that are kept of each: those of some seconds. */
const most = { subscriptions: 500, frames: 64 };

interface Channel {
  /** When it was asked for last, monotonic ms. */
  asked: number;
  /** The newest frames, and the number of the one after them. */
  texts: string[];
  next: number;
}

/** In the place of a market stands a subscription. */
const placeholder = (market: string): Instrument => ({
  market,
  kind: 'other',
  symbol: '',
  quote: '',
  scale: 1,
  contract: 1,
  inverse: false,
  funding_hours: null,
});

/** The subscriptions of one source, and their newest frames. */
export class Relay {
  readonly #clock: Clock;
  /** Tells an unbroken record from others, and from those of other processes, Unix ms. */
  #began: number;
  readonly #channels = new Map<string, Channel>();
  #wake: () => void = () => {};
  #news = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#began = clock.now();
  }

  /** The frames that the asker does not have, as soon as there are any; of one that is new to it the newest alone. */
  async ask({ began, next }: RelayedParams): Promise<RelayedReply> {
    const known = began === this.#began ? next : {};
    const names = Object.keys(next);
    for (const name of names) this.#want(name);
    if (names.some((name) => !this.#channels.has(name)))
      return { began: this.#began, frames: this.#newer(names, known), isFull: true };
    const found = this.#newer(names, known);
    if (Object.keys(found).length > 0) return { began: this.#began, frames: found };
    await within(this.#clock, patience, this.#news.promise);
    return { began: this.#began, frames: this.#newer(names, known) };
  }

  #want(name: string): void {
    const asked = this.#clock.monotonic();
    const channel = this.#channels.get(name);
    if (channel) channel.asked = asked;
    else if (this.#channels.size < most.subscriptions) {
      this.#channels.set(name, { asked, texts: [], next: 1 });
      this.#wake();
    }
  }

  #newer(names: readonly string[], known: Readonly<Record<string, number>>) {
    const found: Record<string, { next: number; texts: readonly string[] }> = {};
    for (const name of names) {
      const { texts = [], next = 0 } = this.#channels.get(name) ?? {};
      const { [name]: has = 0 } = known;
      // A channel that nobody asked for has ended, and begins again at 1.
      const count = has > 0 && has <= next ? next - has : 1;
      if (texts.length > 0 && count > 0) found[name] = { next, texts: texts.slice(-count) };
    }
    return found;
  }

  /** What is subscribed to, as markets. */
  wanted(): InstrumentMap {
    const since = this.#clock.monotonic() - idle;
    for (const [name, { asked }] of this.#channels) if (asked < since) this.#channels.delete(name);
    return new Map([...this.#channels.keys()].map((name) => [name, placeholder(name)]));
  }

  /** Calls `wake` when there is one more. */
  onChange(wake: () => void): Cancel {
    this.#wake = wake;
    return () => {
      this.#wake = () => {};
    };
  }

  /** The connection is lost: frames are missing from now on. */
  lose(): void {
    this.#began = Math.max(this.#clock.now(), this.#began + 1);
    for (const channel of this.#channels.values()) channel.texts = [];
  }

  /** Whether anyone has asked for it. */
  take(name: string, text: string): boolean {
    const channel = this.#channels.get(name);
    if (!channel) return false;
    channel.texts.push(text);
    channel.next += 1;
    if (channel.texts.length > most.frames) channel.texts.shift();
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
    return true;
  }

  get size(): number {
    return this.#channels.size;
  }
}

/** Those of all sources of a process. */
export class Relays {
  readonly #clock: Clock;
  readonly #relays = new Map<string, Relay>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(source: string): Relay {
    const relay = this.#relays.get(source) ?? new Relay(this.#clock);
    this.#relays.set(source, relay);
    return relay;
  }
}

/** Its state is reported so often, ms. */
const reports = 60_000;

/** The behaviour of a stream whose frames are passed on. */
export const relayedFrames = (options: StreamOf<RelayStream> & { relay: Relay }) => {
  const { relay, stream } = options;
  return streamActor({
    ...options,
    stream: {
      ...stream,
      parse: (message) => {
        const name = stream.nameOf(message);
        return name === null ? null : { name, text: JSON.stringify(message) };
      },
    },
    markets: {
      choose: () => relay.wanted(),
      onChange: (wake) => relay.onChange(wake),
      mayBeNone: true,
    },
    sink: (actor) => ({
      // A quiet market brings nothing.
      expects: 'nothing',
      take({ name, text }, { connection }) {
        connection.note(name);
        return relay.take(name, text);
      },
      ended: (_by, failure) => failure && relay.lose(),
      flush() {
        const { subscribed } = actor.connections;
        actor.report(relay.size === 0 ? 'standby' : subscribed ? 'up' : null, relay.size, reports);
        actor.renew();
        return reports;
      },
    }),
  });
};
