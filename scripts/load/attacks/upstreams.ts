/** Attacks by upstreams: numbers and clocks of two exchanges are wrong. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Attack, Target } from './target.ts';

/** How long numbers are wrong, ms. */
const lasting = 30_000;
/** Of the two exchanges. */
const hosts = ['www.okx.com', 'ws.okx.com', 'api.bybit.com', 'stream.bybit.com'];

/** Has the two exchanges misbehave while `look` looks. */
export async function spoiled(target: Target, fault: object, look: () => Promise<unknown>) {
  await target.spoil(hosts.map((host) => ({ host, ...fault })));
  try {
    await look();
  } finally {
    await target.mend();
  }
}

/** Calls `look` again and again while numbers are wrong. */
const watched = (target: Target, fault: object, look: () => Promise<unknown>) =>
  spoiled(target, fault, async () => {
    for (const end = Date.now() + lasting; Date.now() < end; await rest(500)) await look();
  });

interface Prices {
  average_price: number;
  exchanges: Readonly<Record<string, { venue_time: number | null; updated_at: number }>>;
}

const prices = (target: Target) => target.read<Prices>('/v1/prices?symbol=BTC');

/** Clocks of two exchanges an hour ahead: no such time may be shown, and no price may stand still afterwards. */
export const clock: Attack = {
  what: 'clocks of two exchanges an hour ahead',
  needs: ['simulator'],
  async run(target) {
    const rows = async () => {
      const { exchanges = {} } = (await prices(target)) ?? {};
      return ['okx', 'bybit'].flatMap((name) => exchanges[name] ?? []);
    };
    let ahead = 0;
    let unknown = 0;
    await watched(target, { kind: 'ahead', ms: 3_600_000 }, async () => {
      for (const { venue_time } of await rows()) {
        if (venue_time === null) unknown += 1;
        else if (venue_time > Date.now() + 60_000) ahead += 1;
      }
    });
    const ended = Date.now();
    await rest(10_000);
    const late = (await rows()).filter(
      ({ venue_time, updated_at }) => venue_time === null || updated_at < ended,
    ).length;
    return {
      measured: `${ahead} times ahead, ${unknown} left out; ${late} prices have not gone on`,
      bound: '0 times ahead, all prices newer than the end within 10 s',
      // Without a time that is left out the fault has had no effect.
      ok: ahead === 0 && unknown > 0 && late === 0,
    };
  },
};

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
    const price = (await prices(target))?.average_price ?? Number.NaN;
    const found = { wrong: 0, marked: 0, answers: 0 };
    const fault = { kind: 'multiplied', fields: ['bids', 'asks', 'b', 'a'] };
    await watched(target, fault, async () => {
      for (const path of bookPaths) {
        const { bids: [best] = [], suspect } = (await target.read<Book>(path)) ?? {};
        if (best === undefined) continue;
        found.answers += 1;
        if (suspect === true) found.marked += 1;
        else if (Math.abs(best.price / price - 1) > 0.1) found.wrong += 1;
      }
    });
    return {
      measured: `${found.wrong} unmarked and ${found.marked} marked of ${found.answers}`,
      bound: '0 unmarked',
      // Without a mark the fault has had no effect.
      ok: found.wrong === 0 && found.marked > 0,
    };
  },
};
