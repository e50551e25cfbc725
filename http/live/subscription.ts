/** One followed answer of one client: which messages it gets, and when. */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { type ApiError, isApiError } from '../errors.ts';
import type { Follower, Topic } from './topics.ts';

/** Whole data in every message, or what has changed since the message before. */
export type Mode = 'full' | 'patch';

/** The wishes of a client for one subscription. */
export interface Wishes {
  mode: Mode;
  /** Least milliseconds between two messages. */
  every: number;
  /** The version that the client has already, from an earlier connection. */
  resume?: string | undefined;
}

/** A message: JSON text without the identity of the subscription, which the connection adds. */
export interface Message {
  event: 'snapshot' | 'update' | 'patch' | 'current' | 'error';
  /** The version after this message; empty for an error. */
  version: string;
  /** Further members, each after a comma. */
  rest: string;
}

/** A connection as its subscriptions see it. */
export interface Receiver {
  /** Whether the client has not read what was sent before: nothing more may be sent until `flush` is called. */
  readonly full: boolean;
  send(subscription: Subscription, message: Message): void;
}

const failed = ({ error, message }: ApiError): Message => ({
  event: 'error',
  version: '',
  rest: `,"code":${JSON.stringify(error)},"message":${JSON.stringify(message)}`,
});

/**
 * Sends the state of a topic, then each change. A client that reads slowly, or wishes fewer messages, gets the newest
 * version only: what it missed between is not kept.
 */
export class Subscription implements Follower {
  readonly topic: Topic;
  /** The name that the client has given the subscription. */
  readonly id: string | number;
  readonly #wishes: Wishes;
  readonly #receiver: Receiver;
  readonly #clock: Clock;
  /** The version of the last message. */
  #sent = '';
  #failed = '';
  #next = 0;
  #waiting: Cancel | null = null;
  #due = false;

  constructor(
    topic: Topic,
    around: { id: string | number; wishes: Wishes; receiver: Receiver; clock: Clock },
  ) {
    this.topic = topic;
    this.id = around.id;
    this.#wishes = around.wishes;
    this.#receiver = around.receiver;
    this.#clock = around.clock;
  }

  /** Sends the first message. */
  start(): void {
    const { resume } = this.#wishes;
    const { version } = this.topic;
    if (resume === undefined || resume === '' || resume !== version) {
      this.changed();
      return;
    }
    this.#sent = version;
    this.#receiver.send(this, { event: 'current', version, rest: ',"recovered":true' });
  }

  changed(): void {
    const wait = this.#next - this.#clock.now();
    if (this.#receiver.full) this.#due = true;
    else if (wait > 0) this.#later(wait);
    else this.#send();
  }

  /** The client can be sent more. */
  flush(): void {
    if (!this.#due || this.#receiver.full) return;
    this.#due = false;
    this.changed();
  }

  stop(): void {
    this.#waiting?.();
    this.#waiting = null;
  }

  #later(wait: number): void {
    this.#waiting ??= this.#clock.after(wait, () => {
      this.#waiting = null;
      this.changed();
    });
  }

  #send(): void {
    const { state } = this.topic;
    this.#next = this.#clock.now() + this.#wishes.every;
    if (isApiError(state)) {
      if (this.#failed === state.error) return;
      this.#failed = state.error;
      this.#receiver.send(this, failed(state));
      return;
    }
    if (this.#failed === '' && this.topic.version === this.#sent) return;
    this.#failed = '';
    this.#receiver.send(this, this.#message());
    this.#sent = this.topic.version;
  }

  #message(): Message {
    const { topic } = this;
    const { version } = topic;
    const asOf = topic.asOf === null ? '' : `,"as_of":${topic.asOf}`;
    if (this.#sent === '') {
      const recovered = this.#wishes.resume === undefined ? '' : ',"recovered":false';
      return { event: 'snapshot', version, rest: `${recovered}${asOf},"data":${topic.text}` };
    }
    const from = topic.versionBefore;
    if (this.#wishes.mode === 'patch' && from === this.#sent && topic.patch !== null) {
      const rest = `${asOf},"from":${JSON.stringify(from)},"patch":${topic.patch}`;
      return { event: 'patch', version, rest };
    }
    return { event: 'update', version, rest: `${asOf},"data":${topic.text}` };
  }
}
