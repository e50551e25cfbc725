/** A zombie stream: connections of two exchanges stay open and answer pings, but bring no data, and requests hang. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Target, Verdict } from './target.ts';
import { mend, spoil } from './upstreams.ts';

/** An answer of the service, as far as it is looked at; times are Unix ms. */
interface Read {
  data?: {
    timestamp?: number;
    items?: { timestamp: number }[];
    unheard_since?: number;
    exchanges?: Readonly<Record<string, Entry>>;
  };
}

interface Entry {
  updated_at: number;
  unheard_since?: number;
}

/** How long the exchanges say nothing, and the age from which an answer has to say so, a look a second included; ms. */
const lasting = 40_000;
const oldFrom = 12_000;
/** How long an answer may take, ms: a question to an exchange has seconds. */
const longest = 15_000;

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

  add({ data }: Read, now: number): void {
    if (data === undefined) this.refused += 1;
    else if (data.exchanges) {
      for (const name of ['okx', 'bybit']) {
        const entry = data.exchanges[name];
        if (entry) this.#one(entry.updated_at, entry, now);
      }
    } else this.#one(data.timestamp ?? data.items?.[0]?.timestamp ?? now, data, now);
  }

  #one(at: number, { unheard_since }: Partial<Entry>, now: number): void {
    if (unheard_since !== undefined) this.marked += 1;
    else if (now - at > oldFrom) this.unmarked += 1;
  }
}

/** An answer; without data where none comes in time. */
async function read(url: URL, key: string): Promise<Read> {
  const signal = AbortSignal.timeout(longest);
  try {
    const reply = await fetch(url, { headers: { 'x-api-key': key }, signal });
    return (await reply.json()) as Read;
  } catch {
    return {};
  }
}

/** Reads one path until the end. */
async function follow({ url, key }: Target, path: string, { found, end }: Reading): Promise<void> {
  for (; Date.now() < end; await rest(500)) {
    found.add(await read(new URL(path, url), key), Date.now());
  }
}

interface Reading {
  found: Found;
  end: number;
}

/** What is old must say so: order books, trades and prices of two exchanges that are not heard. */
export async function zombie(target: Target): Promise<Verdict> {
  const { simulator } = target;
  const bound = '0 unmarked';
  if (simulator === undefined) return { measured: 'no --simulator', bound, ok: null };
  const refusal = await spoil(simulator, { kind: 'stall' });
  if (refusal !== null) return { measured: refusal, bound, ok: false };
  const found = new Found();
  const reading = { found, end: Date.now() + lasting };
  await Promise.all(paths.map((path) => follow(target, path, reading)));
  await mend(simulator);
  const { marked, unmarked, refused } = found;
  const measured = `${unmarked} unmarked and ${marked} marked numbers, ${refused} refusals`;
  // Without a mark the fault has had no effect.
  return { measured, bound, ok: unmarked === 0 && marked > 0 };
}
