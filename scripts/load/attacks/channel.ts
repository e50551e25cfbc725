/** A zombie channel: the trades of one market stop on a connection that goes on with those of all others. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Target, Verdict } from './target.ts';
import { control, mend } from './upstreams.ts';

/** An answer of the service, as far as it is looked at; times are Unix ms. */
interface Read {
  data?: {
    sources?: Readonly<Record<string, { feeds: Feed[] }>>;
    bars?: { timestamp: number; trade_minutes: number; missing_minutes: number }[];
  };
}

interface Feed {
  topic: string;
  part: string;
  last_error: LastError | null;
}

interface LastError {
  message: string;
  at: number;
}

/** How long it may take until the connection is opened again, and then until a minute is recorded again; ms. */
const [noticed, recorded] = [120_000, 150_000];
const market = 'BTCUSDT';
const barMs = 300_000;

async function read({ url, key }: Target, path: string): Promise<Read> {
  const reply = await fetch(new URL(path, url), { headers: { 'x-api-key': key } });
  return (await reply.json()) as Read;
}

/** Milliseconds until the status of the stream says that data were absent; null where it does not in time. */
async function notices(target: Target, since: number): Promise<number | null> {
  for (; Date.now() < since + noticed; await rest(1_000)) {
    const { sources } = (await read(target, '/v1/status')).data ?? {};
    const own = sources?.bybit?.feeds.find(
      ({ topic, part }) => topic === 'trades' && part === 'spot',
    );
    const { message = '', at = 0 } = own?.last_error ?? {};
    if (at >= since && message.startsWith('no data')) return Date.now() - since;
  }
  return null;
}

/** How many minutes of the bars since then are recorded, and how many are missing. */
async function minutes(target: Target, since: number) {
  const path = `/v1/spot/footprint?exchange=bybit&symbol=${market}&interval=5m&limit=3`;
  const { bars = [] } = (await read(target, path)).data ?? {};
  const own = bars.filter(({ timestamp }) => timestamp + barMs > since);
  return {
    recorded: own.reduce((sum, bar) => sum + bar.trade_minutes, 0),
    missing: own.reduce((sum, bar) => sum + bar.missing_minutes, 0),
  };
}

/** The connection is opened again, and the minutes of the pause are missing: they are not recorded as such without trades. */
export async function channel(target: Target): Promise<Verdict> {
  const { simulator } = target;
  const bound = `noticed within ${noticed / 1_000} s, one minute missing at least, then some recorded`;
  if (simulator === undefined) return { measured: 'no --simulator', bound, ok: null };
  const since = Date.now();
  const before = await minutes(target, since);
  const fault = { host: 'stream.bybit.com', kind: 'muted', fields: [`publicTrade.${market}`] };
  const body = JSON.stringify([fault]);
  const set = await fetch(control(simulator), { method: 'POST', body });
  if (!set.ok) return { measured: `the simulator refuses: ${await set.text()}`, bound, ok: false };
  const after = await notices(target, since);
  const between = await minutes(target, since);
  await rest(recorded);
  await mend(simulator);
  const found = await minutes(target, since);
  const missing = found.missing - before.missing;
  const again = found.recorded - between.recorded;
  const noticing = after === null ? 'not noticed' : `noticed after ${Math.round(after / 1_000)} s`;
  return {
    measured: `${noticing}, ${missing} minutes missing, ${again} recorded afterwards`,
    bound,
    ok: after !== null && missing > 0 && again > 0,
  };
}
