/** Attacks by upstreams: order books of two exchanges are wrong, or their streams bring nothing. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Attack, Target } from './target.ts';

/** Of the two exchanges. */
const hosts = ['www.okx.com', 'ws.okx.com', 'api.bybit.com', 'stream.bybit.com'];

/** Has the two exchanges misbehave while `look` looks. */
async function spoiled(target: Target, fault: object, look: () => Promise<unknown>) {
  await target.spoil(hosts.map((host) => ({ host, ...fault })));
  try {
    await look();
  } finally {
    await target.mend();
  }
}

/** How long books are wrong, ms. */
const wrong = 30_000;
const bookPaths = [
  '/v1/orderbook?exchange=okx&symbol=BTC-USDT',
  '/v1/orderbook?exchange=bybit&symbol=BTCUSDT',
  '/v1/spot/orderbook/aggregated?symbol=BTC',
];

interface Book {
  bids?: { price: number }[];
  suspect?: true;
}

/** Order books of two exchanges a thousand times too high, by stream and by request. */
export const books: Attack = {
  what: 'order books of two exchanges a thousand times too high',
  needs: ['simulator'],
  async run(target) {
    const prices = await target.read<{ average_price: number }>('/v1/prices?symbol=BTC');
    const price = prices?.average_price ?? Number.NaN;
    const found = { wrong: 0, marked: 0, answers: 0 };
    const fault = { kind: 'multiplied', fields: ['bids', 'asks', 'b', 'a'] };
    const end = Date.now() + wrong;
    const look = async (path: string) => {
      const { bids: [best] = [], suspect } = (await target.read<Book>(path)) ?? {};
      if (best === undefined) return;
      found.answers += 1;
      if (suspect === true) found.marked += 1;
      else if (Math.abs(best.price / price - 1) > 0.1) found.wrong += 1;
    };
    await spoiled(target, fault, async () => {
      for (; Date.now() < end; await rest(500)) for (const path of bookPaths) await look(path);
    });
    return {
      measured: `${found.wrong} unmarked and ${found.marked} marked of ${found.answers}`,
      bound: '0 unmarked',
      // Without a mark the fault has had no effect.
      ok: found.wrong === 0 && found.marked > 0,
    };
  },
};

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
