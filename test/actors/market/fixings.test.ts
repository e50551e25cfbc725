/** Hourly fixings: computed once an hour is over, recorded, and made good after a stop. */
import t from 'tap';
import { failed, success } from '../../../actors/failure.ts';
import { fixingsJob } from '../../../actors/market/fixings.ts';
import type { JobContext } from '../../../actors/sources/context.ts';
import { SourceStatus } from '../../../actors/sources/status/status.ts';
import { fixingColumns, fixingExchanges, footprintValues } from '../../../actors/topics/index.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { createLogger } from '../../../config/log.ts';
import { hour, minute } from '../../../config/time.ts';
import { FakeClock } from '../../support/clock.ts';

const start = 1_790_002_800_000;

/** A minute in which one unit was bought at a price. */
const values = (timestamp: number, price: number) =>
  footprintValues({
    ...{ timestamp, open: price, high: price, low: price, close: price, step: 1, first: price },
    ...{ trades: 4, buckets: [{ buy_base: 1, sell_base: 0, buy_usd: price, sell_usd: 0 }] },
  });

interface Row {
  key: string;
  time: number;
  values: Readonly<Record<string, number | null>>;
}

/** The parameters of `series`, or of `record`. */
interface Asked {
  series: string;
  keys: readonly string[];
  from?: number;
  to?: number;
  rows?: readonly Row[];
}

/** A history of its own, with the minutes of `prices` by key. */
function stage(prices: Readonly<Record<string, number>>) {
  const clock = new FakeClock(start + hour + minute);
  const recorded: Row[] = [];
  const asked: Asked[] = [];
  const state: { away: boolean; rate: number | null; listed: boolean } = {
    away: false,
    rate: 0.95,
    listed: true,
  };
  const columnsOf = (rows: readonly Record<string, number | null>[]) => {
    const names = new Set(rows.flatMap((row) => Object.keys(row)));
    return Object.fromEntries(
      [...names].map((name) => [name, rows.map((row) => row[name] ?? null)]),
    );
  };
  const ofPrice = (key: string, from: number) => {
    const rate = key === 'spot/USDT' ? state.rate : null;
    return rate === null
      ? { times: [], columns: {} }
      : { times: [from], columns: { price: [rate] } };
  };
  const ofFixings = (key: string) => {
    const own = recorded.filter((one) => one.key === key).sort((a, b) => a.time - b.time);
    return {
      times: own.map(({ time }) => time),
      columns: columnsOf(own.map((one) => one.values)),
    };
  };
  const ofMinutes = (key: string, from: number, to: number) => {
    const price = prices[key];
    const all = Array.from({ length: 60 }, (_, at) => start + at * minute);
    const times = price === undefined ? [] : all.filter((time) => time >= from && time <= to);
    return { times, columns: columnsOf(times.map((at) => values(at, price ?? 0))) };
  };
  const rowsOf = ({ series, keys, from = 0, to = Number.POSITIVE_INFINITY }: Asked) =>
    keys.map((key) => {
      if (series === 'price') return { key, recorded_from: 0, ...ofPrice(key, from) };
      if (series === 'reference-fixings') return { key, recorded_from: 0, ...ofFixings(key) };
      return { key, recorded_from: 0, ...ofMinutes(key, from, to) };
    });
  const query = async ({ name, params }: { name: string; params: Asked }) => {
    if (state.away) return failed('unanswered', 'away');
    if (name === 'record') {
      const { rows = [] } = params;
      for (const row of rows)
        if (!recorded.some((one) => one.key === row.key && one.time === row.time))
          recorded.push(row);
      return success({ value: { rows: rows.length }, received: clock.now(), until: 0 });
    }
    asked.push(params);
    return success({ value: { rows: rowsOf(params) }, received: clock.now(), until: 0 });
  };
  const context: JobContext = {
    clock,
    log: createLogger({ logLevel: 'silent' }, 'test'),
    status: new SourceStatus({ source: 'reference-rate', clock, publish: () => {} }),
    publish: async () => null,
    last: async () => undefined,
    query: query as never,
    client: () => {
      throw new Error('no client is needed');
    },
  };
  const market = {
    tracked: () => ['BTC', 'ETH'],
    markets: (source: string, _kind: string, symbol: string) =>
      !state.listed || (symbol === 'ETH' && source !== 'okx')
        ? []
        : [{ market: `${symbol}USDT`, quote: 'USDT', turnover: 1 }],
    rates: () => new Map([['USDT', 0.999]]),
  };
  const begin = () => fixingsJob({ market }, context);
  let job = begin();
  const run = () => job.run({ now: clock.now(), signal: new AbortController().signal });
  const restart = () => {
    job = begin();
  };
  return { clock, recorded, asked, state, run, restart };
}

const prices = { 'binance/spot/BTCUSDT': 100, 'okx/spot/BTCUSDT': 102, 'okx/spot/ETHUSDT': 50 };

t.test('an hour is computed two minutes after its end, once', async (t) => {
  const { clock, recorded, asked, run } = stage(prices);
  t.equal(await run(), null);
  t.strictSame(recorded, [], 'its last minutes may be on their way');
  await clock.advance(minute);
  await run();
  t.strictSame(
    recorded.map(({ key, time }) => [key, time]),
    [
      ['BTC', start],
      ['ETH', start],
    ],
  );
  const [bitcoin, ether] = recorded;
  // Half of the volume is reached at the lower price; a USDT is worth 0.999 dollars.
  t.match(bitcoin?.values, { trades: 480, volume: 120, minutes_binance: 60, minutes_okx: 60 });
  t.equal(Number(bitcoin?.values.rate?.toFixed(6)), 99.9);
  t.equal(bitcoin?.values.minutes_bybit, 0);
  t.equal(Number(ether?.values.rate?.toFixed(6)), 49.95);
  const before = asked.length;
  await run();
  t.equal(asked.length, before, 'what is done is not asked for again');
});

t.test('hours that were missed are made good, and none is recorded twice', async (t) => {
  const { clock, recorded, run, restart } = stage(prices);
  await clock.advance(4 * hour);
  await run();
  t.equal(recorded.length, 2, 'of the hours without trades nothing is recorded');
  const rate = Number(recorded[0]?.values.rate?.toFixed(6));
  t.equal(rate, 95, 'at the rate of the dollar then: 0.95 for 0.999 of now');
  restart();
  await run();
  t.equal(recorded.length, 2);
  const unknown = stage(prices);
  unknown.state.rate = null;
  await unknown.clock.advance(4 * hour);
  await unknown.run();
  t.strictSame(unknown.recorded, [], 'without a rate of then there is no fixing');
  const late = stage(prices);
  await late.clock.advance(29 * hour);
  await late.run();
  t.strictSame(late.recorded, [], 'it is more than a day ago');
});

t.test('while the history is away nothing is lost', async (t) => {
  const { clock, recorded, state, run } = stage(prices);
  await clock.advance(minute);
  state.away = true;
  t.match(await run(), { code: 'unanswered' });
  state.away = false;
  t.equal(await run(), null);
  t.equal(recorded.length, 2);
});

t.test(
  'an hour waits for the markets of an asset, which a start does not know at once',
  async (t) => {
    const { clock, recorded, state, run } = stage(prices);
    await clock.advance(minute);
    state.listed = false;
    t.equal(await run(), null);
    state.listed = true;
    t.equal(await run(), null);
    t.equal(recorded.length, 2);
  },
);

t.test('the exchanges are those whose spot trades are folded', async (t) => {
  const spot = Object.values(venues).flatMap((venue) => {
    const trades = 'trades' in venue ? Object.keys(venue.trades ?? {}) : [];
    return trades.some((part) => part === 'spot' || part === 'all' || part === 'markets')
      ? [venue.id]
      : [];
  });
  t.strictSame([...fixingExchanges], spot);
  t.ok(fixingExchanges.every((exchange) => fixingColumns.includes(`minutes_${exchange}`)));
});
