/** The streams of a server: what its connections share, and what is looked after once a second while there are any. */
import { type Cancel, every } from '../../../actors/kernel/clock.ts';
import type { StreamCounts, TransportName } from '../../endpoints/stream-counts.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import type { Shared } from '../handling.ts';
import { closeCodes } from './close-codes.ts';
import { Session, type Transport } from './session.ts';
import { type Client, type LiveContext, nameOf } from './share.ts';

/** Interval of the checks, ms. */
const checkEvery = 1_000;
/** Connections that are looked after in one unit of work. */
const perUnit = 50;
/** A client that reads nothing for this time is disconnected, ms. */
export const patience = 30_000;
/** Most connections and subscriptions of one client address without a key. */
export const mostPerAddress = { connections: 64, subscriptions: 2_000 };

const tooMany = apiError('too_many_requests', 'your plan allows no more connections');

/** A connection that is looked after. */
export interface Connection {
  transport: TransportName;
  session: Session;
  /**
   * Counts what waits for the client, which may end the connection, and shows that it lives. Whether the client has not read what was
   * sent. It is called once a second for each of 10,000 connections.
   */
  look(): boolean;
}

export class Live {
  readonly context: LiveContext;
  readonly #connections = new Set<Connection>();
  /** Since when clients have read nothing, monotonic ms, as far as looks have seen it. */
  readonly #blocked = new Map<Connection, number>();
  /** Null without connections. */
  #checking: Cancel | null = null;
  #isLooking = false;

  /** `most`: connections, and subscriptions, of one client address without a key. */
  constructor(shared: Shared, most?: number) {
    const perAddress =
      most === undefined ? mostPerAddress : { connections: most, subscriptions: most };
    this.context = { shared, topics: shared.topics, perAddress };
  }

  get #counts(): StreamCounts {
    return this.context.shared.counters.streams;
  }

  /** A session for a client; the error when the client has as many connections as it may. */
  open(client: Client, transport: Transport): Session | ApiError {
    const { inFlight, guard } = this.context.shared;
    const { caller } = client;
    const most =
      caller === null || guard.quota === undefined
        ? this.context.perAddress.connections
        : guard.quota.connections(caller);
    if (!inFlight.enter(nameOf(client), most)) {
      this.#counts.refused(tooMany.error);
      return tooMany;
    }
    return new Session(this.context, { client, transport });
  }

  add(connection: Connection): void {
    this.#connections.add(connection);
    this.#counts[connection.transport].connections += 1;
    this.#checking ??= every(this.context.shared.clock, checkEvery, () => this.#check());
  }

  /** The connection has ended. */
  remove(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    this.#blocked.delete(connection);
    this.#counts[connection.transport].connections -= 1;
    connection.session.ended();
    this.context.shared.inFlight.leave(nameOf(connection.session.client));
  }

  /** Tells every client to connect again, and stops. */
  stop(): void {
    this.#checking?.();
    this.context.topics.stop();
    for (const { session } of [...this.#connections]) session.end(...closeCodes.restart);
  }

  #check(): void {
    if (this.#connections.size === 0) {
      this.#checking?.();
      this.#checking = null;
      return;
    }
    if (!this.#isLooking) this.context.topics.turns.add('', this.#lookAtAll());
    this.checkKeys();
  }

  /** Looks after every connection, in as many turns as that takes. */
  *#lookAtAll(): Generator<number, void> {
    this.#isLooking = true;
    const now = this.context.shared.clock.monotonic();
    let looked = 0;
    for (const connection of this.#connections) {
      if (connection.look()) this.#noteBlocked(connection, now);
      else this.#blocked.delete(connection);
      looked += 1;
      if (looked % perUnit === 0) yield 1;
    }
    this.#isLooking = false;
  }

  #noteBlocked(connection: Connection, now: number): void {
    const since = this.#blocked.get(connection) ?? now;
    if (now - since >= patience) connection.session.end(...closeCodes.slow);
    else if (this.#connections.has(connection)) this.#blocked.set(connection, since);
  }

  /** Ends the streams of keys that are not valid any more. Keys that are known are in memory. */
  checkKeys(): void {
    const { gate } = this.context.shared.guard;
    if (gate === undefined) return;
    const byKey = Map.groupBy(this.#connections, ({ session }) => session.client.key);
    byKey.delete('');
    for (const [key, connections] of byKey) {
      const end = (holds: boolean) => {
        if (holds) return;
        for (const { session } of connections) session.end(...closeCodes.unauthorized);
      };
      const holds = gate.holds(key);
      if (holds instanceof Promise) void holds.then(end);
      else end(holds);
    }
  }
}
