/** A zombie stream: connections of two exchanges stay open and answer pings, but bring no data, and requests hang. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Attack } from './target.ts';
import { spoiled } from './upstreams.ts';

/** `data` of an answer, as far as it is looked at; times are Unix ms. */
interface Data {
  timestamp?: number;
  items?: { timestamp: number }[];
  unheard_since?: number;
  exchanges?: Readonly<Record<string, { updated_at: number; unheard_since?: number }>>;
}

/** How long the exchanges say nothing, and the age from which an answer has to say so, a look a second included; ms. */
const lasting = 40_000;
const oldFrom = 12_000;

const paths = [
  '/v1/orderbook?exchange=okx&symbol=BTC-USDT',
  '/v1/orderbook?exchange=bybit&symbol=BTCUSDT',
  '/v1/trades?exchange=okx&symbol=BTC-USDT',
  '/v1/trades?exchange=bybit&symbol=BTCUSDT',
  '/v1/prices?symbol=BTC',
];

/** Counts numbers that are old, by whether they say it, and answers without any. */
class Found {
  marked = 0;
  unmarked = 0;
  refused = 0;

  add(data: Data | undefined, now: number): void {
    if (data === undefined) this.refused += 1;
    else if (data.exchanges) {
      for (const name of ['okx', 'bybit']) {
        const entry = data.exchanges[name];
        if (entry) this.#one(entry.updated_at, entry.unheard_since, now);
      }
    } else this.#one(data.timestamp ?? data.items?.[0]?.timestamp ?? now, data.unheard_since, now);
  }

  #one(at: number, unheardSince: number | undefined, now: number): void {
    if (unheardSince !== undefined) this.marked += 1;
    else if (now - at > oldFrom) this.unmarked += 1;
  }
}

/** What is old must say so: order books, trades and prices of two exchanges that are not heard. */
export const zombie: Attack = {
  what: 'streams of two exchanges bring only pings, and requests hang',
  needs: ['simulator'],
  async run(target) {
    const found = new Found();
    const end = Date.now() + lasting;
    const watch = async (path: string) => {
      for (; Date.now() < end; await rest(500)) {
        found.add(await target.read<Data>(path).catch(() => undefined), Date.now());
      }
    };
    await spoiled(target, { kind: 'stall' }, () => Promise.all(paths.map(watch)));
    const { marked, unmarked, refused } = found;
    return {
      measured: `${unmarked} unmarked and ${marked} marked numbers, ${refused} refusals`,
      bound: '0 unmarked',
      // Without a mark the fault has had no effect.
      ok: unmarked === 0 && marked > 0,
    };
  },
};
