/** A zombie channel: the trades of one market stop on a connection that goes on with those of all others. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Attack, Target } from './target.ts';

interface Feed {
  topic: string;
  part: string;
  last_error: { message: string; at: number } | null;
}

interface Bar {
  timestamp: number;
  trade_minutes: number;
  missing_minutes: number;
}

/** How long it may take until the connection is opened again, and then until a minute is recorded again; ms. */
const [noticed, recorded] = [120_000, 150_000];
const market = 'BTCUSDT';
const barMs = 300_000;

/** Milliseconds until the status of the stream says that data were absent; null where it does not in time. */
async function notices(target: Target, since: number): Promise<number | null> {
  for (; Date.now() < since + noticed; await rest(1_000)) {
    const status = await target.read<{ sources: Record<string, { feeds: Feed[] }> }>('/v1/status');
    const own = status?.sources.bybit?.feeds.find(
      ({ topic, part }) => topic === 'trades' && part === 'spot',
    );
    const { message = '', at = 0 } = own?.last_error ?? {};
    if (at >= since && message.includes('no data')) return Date.now() - since;
  }
  return null;
}

/** How many minutes of the bars since then are recorded, and how many are missing. */
async function minutes(target: Target, since: number) {
  const path = `/v1/spot/footprint?exchange=bybit&symbol=${market}&interval=5m&limit=3`;
  const { bars = [] } = (await target.read<{ bars: Bar[] }>(path)) ?? {};
  const own = bars.filter(({ timestamp }) => timestamp + barMs > since);
  return {
    recorded: own.reduce((sum, bar) => sum + bar.trade_minutes, 0),
    missing: own.reduce((sum, bar) => sum + bar.missing_minutes, 0),
  };
}

/** The connection is opened again, and the minutes of the pause are missing: they are not recorded as such without trades. */
export const channel: Attack = {
  what: 'a channel of trades stops beside others that go on',
  needs: ['simulator'],
  async run(target) {
    const since = Date.now();
    const before = await minutes(target, since);
    const fields = [`publicTrade.${market}`];
    await target.spoil([{ host: 'stream.bybit.com', kind: 'muted', fields }]);
    const after = await notices(target, since);
    const between = await minutes(target, since);
    await rest(recorded);
    await target.mend();
    const found = await minutes(target, since);
    const missing = found.missing - before.missing;
    const again = found.recorded - between.recorded;
    const seen = after === null ? 'not noticed' : `noticed after ${Math.round(after / 1_000)} s`;
    return {
      measured: `${seen}, ${missing} minutes missing, ${again} recorded afterwards`,
      bound: `noticed within ${noticed / 1_000} s, one minute missing at least, then some recorded`,
      ok: after !== null && missing > 0 && again > 0,
    };
  },
};
