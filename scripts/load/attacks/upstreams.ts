/** Attacks by upstreams: numbers and clocks of two exchanges are wrong. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Target, Verdict } from './target.ts';

/** An answer of the service, as far as it is looked at. */
interface Read {
  data?: {
    average_price?: number;
    bids?: { price: number }[];
    suspect?: true;
    exchanges?: Readonly<Record<string, { venue_time: number | null; updated_at: number }>>;
  };
}

/** Counts answers by their best bid: those far from a price without a mark, those with one, and all. */
class Books {
  wrong = 0;
  marked = 0;
  answers = 0;

  add({ data }: Read, price: number): void {
    const [best] = data?.bids ?? [];
    if (best === undefined) return;
    this.answers += 1;
    if (data?.suspect === true) this.marked += 1;
    else if (Math.abs(best.price / price - 1) > 0.1) this.wrong += 1;
  }
}

const bookPaths = [
  '/v1/orderbook?exchange=okx&symbol=BTC-USDT',
  '/v1/orderbook?exchange=bybit&symbol=BTCUSDT',
  '/v1/spot/orderbook/aggregated?symbol=BTC',
];

async function read({ url, key }: Target, path: string): Promise<Read> {
  const reply = await fetch(new URL(path, url), { headers: { 'x-api-key': key } });
  return (await reply.json()) as Read;
}

/** Sets faults on the hosts of two exchanges; the text of a refusal, or null. */
export async function spoil(simulator: URL, fault: object): Promise<string | null> {
  const faults = hosts.map((host) => ({ host, ...fault }));
  const set = await fetch(control(simulator), { method: 'POST', body: JSON.stringify(faults) });
  return set.ok ? null : `the simulator refuses: ${await set.text()}`;
}
/** How long numbers are wrong, ms. */
const lasting = 30_000;
const hosts = ['www.okx.com', 'ws.okx.com', 'api.bybit.com', 'stream.bybit.com'];
export const control = (simulator: URL) => new URL('/_control/faults', simulator);
export const mend = (simulator: URL) => fetch(control(simulator), { method: 'DELETE' });

/** Clocks of two exchanges an hour ahead: no such time may be shown, and no price may stand still afterwards. */
export async function clock(target: Target): Promise<Verdict> {
  const { simulator } = target;
  const bound = '0 times ahead, all prices newer than the end within 10 s';
  if (simulator === undefined) return { measured: 'no --simulator', bound, ok: null };
  const rows = async () => {
    const { exchanges = {} } = (await read(target, '/v1/prices?symbol=BTC')).data ?? {};
    return ['okx', 'bybit'].flatMap((name) => exchanges[name] ?? []);
  };
  const refusal = await spoil(simulator, { kind: 'ahead', ms: 3_600_000 });
  if (refusal !== null) return { measured: refusal, bound, ok: false };
  let ahead = 0;
  let unknown = 0;
  for (const end = Date.now() + lasting; Date.now() < end; await rest(500)) {
    for (const { venue_time } of await rows()) {
      if (venue_time === null) unknown += 1;
      else if (venue_time > Date.now() + 60_000) ahead += 1;
    }
  }
  await mend(simulator);
  const ended = Date.now();
  await rest(10_000);
  const late = (await rows()).filter(
    ({ venue_time, updated_at }) => venue_time === null || updated_at < ended,
  ).length;
  return {
    measured: `${ahead} times ahead, ${unknown} left out; ${late} prices have not gone on`,
    bound,
    // Without a time that is left out the fault has had no effect.
    ok: ahead === 0 && unknown > 0 && late === 0,
  };
}

/** Order books of two exchanges a thousand times too high, by stream and by request. */
export async function books(target: Target): Promise<Verdict> {
  const { simulator } = target;
  const bound = '0 unmarked';
  if (simulator === undefined) return { measured: 'no --simulator', bound, ok: null };
  const price = (await read(target, '/v1/prices?symbol=BTC')).data?.average_price ?? Number.NaN;
  const refusal = await spoil(simulator, {
    kind: 'multiplied',
    fields: ['bids', 'asks', 'b', 'a'],
  });
  if (refusal !== null) return { measured: refusal, bound, ok: false };
  const found = new Books();
  for (const end = Date.now() + lasting; Date.now() < end; await rest(500)) {
    for (const path of bookPaths) found.add(await read(target, path), price);
  }
  await mend(simulator);
  const { wrong, marked, answers } = found;
  const measured = `${wrong} unmarked and ${marked} marked of ${answers}`;
  // Without a mark the fault has had no effect.
  return { measured, bound, ok: wrong === 0 && marked > 0 };
}
