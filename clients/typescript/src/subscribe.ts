/** Answers and logs that are followed. */
import { type Connection, errorOf, type Member, type Message, mayPass } from './connection.ts';
import type { SubscriptionError } from './errors.ts';
import type { Form } from './forms.ts';
import { backoff } from './transport.ts';

export interface SubscribeOptions {
  /** Least milliseconds between a version of an answer and the next message about it. */
  every?: number | undefined;
  /** The version or position that is known already, of an earlier subscription to the same path. */
  resume?: string | undefined;
  signal?: AbortSignal | undefined;
}

interface Subscribing<U> extends SubscribeOptions {
  connection: Connection;
  /** The path of the answer with its query. */
  path: string;
  form: Form<U>;
}

/** The service may still count the connection that was lost. */
const passingLater = 'too_many_requests';

/** One loop: what has arrived and was not taken, and where the service goes on after it. */
class Subscription<U> implements Member {
  readonly #about: Subscribing<U>;
  /** By their keys (`Form`), the oldest first. */
  readonly #updates = new Map<unknown, U>();
  /** Null while the service is not asked for it. */
  #id: number | null = null;
  /** The place after the last update that has arrived; empty without one. */
  #position: string;
  /** More has arrived than may wait: the service is asked again when the loop has taken what is here. */
  #rests = false;
  #failure: SubscriptionError | null = null;
  #isOver = false;
  /** Refusals since the last update. */
  #refusals = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #wake = () => {};

  constructor(about: Subscribing<U>) {
    this.#about = about;
    this.#position = about.resume ?? '';
  }

  wishes(): object {
    const { path, every, form } = this.#about;
    // JSON leaves out what is undefined.
    return { path, mode: form.mode, every, resume: this.#position || undefined };
  }

  /** The next update; undefined after the end. Throws where the service has refused, after what came before. */
  async next(): Promise<U | undefined> {
    while (!this.#isOver) {
      const [oldest] = this.#updates;
      if (oldest !== undefined) {
        const [key, update] = oldest;
        this.#updates.delete(key);
        return update;
      }
      if (this.#failure !== null) throw this.#failure;
      if (this.#rests) this.start();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return undefined;
  }

  start(): void {
    this.#rests = false;
    this.#id = this.#about.connection.add(this);
  }

  readonly end = (): void => {
    this.#isOver = true;
    this.#leave();
    this.#wake();
  };

  fail(error: SubscriptionError): void {
    this.#failure = error;
    this.#leave();
    this.#wake();
  }

  take(message: Message): void {
    if (message.type === 'error') {
      this.#refused(message);
      return;
    }
    const update = this.#about.form.read(message);
    if (update === 'lost') {
      this.#position = '';
      this.#renew();
    } else if (update !== null) this.#put(update);
  }

  #leave(): void {
    clearTimeout(this.#again);
    if (this.#id !== null) this.#about.connection.remove(this.#id);
    this.#id = null;
  }

  #renew(): void {
    if (this.#id !== null) this.#id = this.#about.connection.renew(this.#id, this);
  }

  #put(update: U): void {
    const { key, most, position } = this.#about.form;
    if (this.#updates.size >= most) {
      this.#rests = true;
      this.#leave();
      return;
    }
    this.#updates.delete(key(update));
    this.#updates.set(key(update), update);
    [this.#position, this.#refusals] = [position(update), 0];
    this.#wake();
  }

  #refused(message: Message): void {
    const { code, timestamp } = message;
    if (!mayPass(code) && (this.#position === '' || code !== passingLater)) {
      this.fail(errorOf(message));
      return;
    }
    // With a time it is an answer that is missing for now, not the subscription that was refused.
    if (timestamp !== undefined) return;
    this.#refusals += 1;
    this.#again = setTimeout(() => this.#renew(), backoff(this.#refusals));
  }
}

/** What is at a path, then what is new there, until the signal aborts or the service refuses. */
export async function* subscribe<U>(about: Subscribing<U>): AsyncGenerator<U, void, undefined> {
  const { signal } = about;
  if (signal?.aborted) return;
  const subscription = new Subscription(about);
  signal?.addEventListener('abort', subscription.end, { once: true });
  try {
    subscription.start();
    for (;;) {
      const update = await subscription.next();
      if (update === undefined) return;
      yield update;
    }
  } finally {
    signal?.removeEventListener('abort', subscription.end);
    subscription.end();
  }
}
