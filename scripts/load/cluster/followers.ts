/** The clients of streams in a run, and what they found together. */
import { setTimeout as rest } from 'node:timers/promises';
import { createBus } from '../../../actors/bus/bus.ts';
import type { Balancer } from './balancer.ts';
import { StreamClient } from './clients.ts';
import { type Finding, listed, most, note, some } from './findings.ts';
import { compareEvents, EventAccount, eventKey, PriceAccount } from './streams.ts';
import type { Truth } from './truth.ts';

/** The log of events, which half of the clients follow. */
export const orders = '/v1/liquidations/orders';
/** Until a client has what the log has, and how old the newest reading of a client's price may be; ms. */
const delivery = 5_000;
const newest = 15_000;

export interface Around {
  balancer: Balancer;
  key: string;
  truth: Truth;
  symbols: string[];
}

const sum = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((all, one) => all + of(one), 0);

/** The keys of the events of the log, in its order. */
async function logOf(url: string): Promise<string[]> {
  const bus = createBus({ url, process: 'load-cluster-log' });
  const keys: string[] = [];
  const following = bus.follow({
    liquidations: (_key, { source, events: own }) => {
      for (const event of own) keys.push(eventKey({ exchange: source, ...event }));
    },
  });
  await following.ready;
  await bus.close();
  return keys;
}

export class Followers {
  readonly #logs: EventAccount[] = [];
  readonly #prices: PriceAccount[] = [];
  readonly #clients: StreamClient[];

  /** Half of them follow the log of events, the others prices, whole ones and patches. */
  constructor(count: number, { balancer, key, truth, symbols }: Around) {
    this.#clients = Array.from({ length: count }, (_, i) => {
      const transport = i % 2 === 0 ? 'socket' : 'events';
      const about = { balancer, key, onConnected: () => {} };
      if (i % 4 < 2) {
        const log = new EventAccount();
        this.#logs.push(log);
        const plan = { ...about, path: orders, mode: 'log' } as const;
        return new StreamClient({ ...plan, onMessage: (one) => log.take(one, truth) }, transport);
      }
      const symbol = symbols[i % symbols.length] ?? 'BTC';
      const price = new PriceAccount(symbol);
      this.#prices.push(price);
      return new StreamClient(
        {
          ...about,
          path: `/v1/prices?symbol=${symbol}`,
          mode: i % 8 < 4 ? 'full' : 'patch',
          onConnected: () => price.connected(),
          onMessage: (one) => price.take(one, truth),
        },
        transport,
      );
    });
  }

  /** Now and then every fifth client reads nothing for some seconds, until `isOver` says so. */
  async stallSome(isOver: () => boolean): Promise<void> {
    const slow = this.#clients.filter((_, i) => i % 5 === 0);
    while (!isOver()) {
      await Promise.all(slow.map((client) => client.stall(1_000 + Math.random() * 3_000)));
      await rest(2_000, undefined, { ref: false });
    }
  }

  /** Ends the clients some seconds after the log was read, which they then must have; gives what they found, and the log. */
  async end(url: string): Promise<{ findings: Finding[]; log: readonly string[] }> {
    const early = await logOf(url);
    await rest(delivery);
    for (const client of this.#clients) client.end();
    const all = await logOf(url);
    return { findings: [...this.#about(early, all), ...this.#ofClients()], log: all };
  }

  #about(early: readonly string[], all: readonly string[]): Finding[] {
    const found = this.#logs.map((one) => compareEvents(one.counts, { early, all }));
    const missing = found.flatMap((one) => one.missing);
    const examples = [...new Set(missing)].slice(0, 10).map((key) => {
      const clients = missing.filter((one) => one === key).length;
      return note('missing', `${key}, number ${all.indexOf(key) + 1} of the log, for ${clients}`);
    });
    const late = Date.now() - newest;
    const behind = this.#prices.filter(({ asOf }) => asOf < late).length;
    return [
      some('events in the log', all.length),
      most('events that clients miss', missing.length, 0),
      ...examples,
      most(
        'events that came twice',
        sum(found, (one) => one.repeated),
        0,
      ),
      note('events that the log does not have', `${sum(found, (one) => one.beyond)}`),
      note('losses that were stated', `${sum(this.#logs, (one) => one.unrecovered)}`),
      most(
        'messages out of order',
        sum([...this.#logs, ...this.#prices], (one) => one.unordered),
        0,
      ),
      some(
        'messages about prices',
        sum(this.#prices, (one) => one.messages),
      ),
      note('prices that came twice', `${sum(this.#prices, (one) => one.repeated)}`),
      most(
        'patches of another version',
        sum(this.#prices, (one) => one.unfit),
        0,
      ),
      most('clients that are behind at the end', behind, 0),
    ];
  }

  #ofClients(): Finding[] {
    const errors = new Map<string, number>();
    for (const [code, count] of this.#clients.flatMap((one) => [...one.errors]))
      errors.set(code, (errors.get(code) ?? 0) + count);
    const connections = sum(this.#clients, (one) => one.connections);
    const refused = sum(this.#clients, (one) => one.refused);
    const text = `${this.#clients.length}, ${connections} connections, ${refused} attempts in vain`;
    return [note('clients of streams', `${text}; errors: ${listed(errors)}`)];
  }
}
