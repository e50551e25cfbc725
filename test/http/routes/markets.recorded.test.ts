/** The tables of markets: what they add from the history and from liquidations. */
import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import type { RecordedAt } from '../../../actors/topics/index.ts';
import { marketTables } from '../../../http/routes/markets/index.ts';
import { followRecorded } from '../../../http/views/recorded-feed.ts';
import { RecordedView } from '../../../http/views/recorded-values.ts';
import { FakeClock } from '../../support/clock.ts';
import { liquidations as entryOf, liquidation, now } from '../../support/makers.ts';
import { marketStage } from './market-stage.ts';

/** A reply to `seriesAt`: columns of values by key. */
const recordedAt = (
  series: RecordedAt['series'],
  byKey: Record<string, Record<string, (number | null)[]>>,
): RecordedAt => {
  const keys = Object.keys(byKey);
  const names = Object.keys(Object.values(byKey)[0] ?? {});
  const times = Object.values(byKey)[0]?.[names[0] ?? ''] ?? [];
  const column = (name: string) =>
    times.map((_, at) => keys.map((key) => byKey[key]?.[name]?.[at] ?? null));
  const columns = Object.fromEntries(names.map((name) => [name, column(name)]));
  return { series, times: times.map(() => now), keys, columns, recorded_from: 0 };
};

/** What the history answers; the newest time first, but for options. */
const recordedReplies: Partial<Record<RecordedAt['series'], RecordedAt>> = {
  price: recordedAt('price', {
    'spot/BTC': { price: [101, 100] },
    'perpetual/BTC': { price: [110, 100] },
    'perpetual/ETH': { price: [5, null] },
  }),
  'open-interest': recordedAt('open-interest', {
    'a/stable/BTC': { usd: [60, 48, null] },
    'a/coin/BTC': { usd: [null, 9, 9] },
    'b/stable/BTC': { usd: [30, 27, 15] },
  }),
  'taker-flow': recordedAt('taker-flow', {
    'binance/spot/BTC': { buy_usd: [...Array(23).fill(2), null], sell_usd: Array(24).fill(1) },
    'binance/spot/ETH': { buy_usd: [...Array(22).fill(2), null, null], sell_usd: Array(24) },
  }),
  'account-ratio': recordedAt('account-ratio', { 'binance/BTC': { long: [0.75], short: [0.25] } }),
};

t.test('an asset moves where no market states its change and it is recorded', async (t) => {
  const { read, tables, recorded } = marketStage(marketTables);
  const movers = async () => (await read('spot/gainers')).items;
  t.notOk((await movers()).some((one: { symbol: string }) => one.symbol === 'NEW'));
  for (const question of recorded.questions()) {
    const { params, accept } = question(now);
    const reply = recordedAt('price', { 'spot/NEW': { price: [120, 110, 100] } });
    if (params.series === 'price') accept(reply, now);
  }
  tables.expire(now);
  t.match(await movers(), [
    { symbol: 'NEW', price_change_24h_percent: 20, price_change_24h_basis: 'recorded' },
  ]);
});

t.test(
  'recorded changes, takers, accounts, liquidations; null when they are too old',
  async (t) => {
    const { read, tables, recorded, liquidations } = marketStage(marketTables);
    for (const question of recorded.questions()) {
      const { params, accept } = question(now);
      const reply = recordedReplies[params.series];
      if (reply) accept(reply, now);
    }
    const events = [
      liquidation({ contract: 'BTC-P', value_usd: 70, id: '1' }),
      liquidation({ contract: 'BTC-P', value_usd: 30, id: '2', side: 'short' }),
    ];
    liquidations.accept(entryOf({ since: now - 1, events }));
    const at = (time: number) => {
      for (const view of [recorded, liquidations, tables]) view.expire(time);
    };
    at(now);
    const liquidated = {
      liquidation_usd_24h: 100,
      long_liquidation_usd_24h: 70,
      short_liquidation_usd_24h: 30,
    };
    // 60 + 30 after 48 + 27; the day before, only 30 of 90 are known.
    const interest = {
      open_interest_change_1h_percent: 20,
      open_interest_change_24h_percent: null,
    };
    const accounts = { long_short_ratio: 3, long_short_ratio_basis: 'binance' };
    const [eth, btc] = (await read('futures/coins-markets')).items;
    t.match(btc, { price_change_1h_percent: 10, ...interest, ...accounts, ...liquidated });
    t.match(eth, { price_change_1h_percent: null, long_short_ratio: null, liquidation_usd_24h: 0 });
    // 30 after 27, and after 15.
    t.match((await read('futures/coins-markets?exchange=b&symbol=BTC')).items[0], {
      open_interest_change_1h_percent: 11.1111111111,
      open_interest_change_24h_percent: 100,
      long_short_ratio: null,
      liquidation_usd_24h: null,
    });
    const one = { price_change_1h_percent: 1, ...interest, ...accounts, ...liquidated };
    t.match((await read('overview')).items[1], one);
    t.match((await read('overview?symbol=btc')).items[0], one);
    const takers = { buy_volume_24h_usd: 46, sell_volume_24h_usd: 24 };
    t.match((await read('spot/coins-markets')).items[0], { price_change_1h_percent: 1, ...takers });
    t.match((await read('futures/exchange-rank')).items, [
      { exchange: 'b', liquidation_usd_24h: null },
      { exchange: 'a', liquidation_usd_24h: 100 },
    ]);
    at(now + 900_000);
    t.equal(recorded.accountRatio('BTC'), 3);
    at(now + 900_001);
    t.same([recorded.priceChange('spot', 'BTC'), recorded.accountRatio('BTC')], [null, null]);
  },
);

t.test(
  'recorded series are asked for again when their answer ends, and after a failure',
  async (t) => {
    const clock = new FakeClock(now);
    const view = new RecordedView();
    const asked: string[] = [];
    const bus = {
      query: async ({ params }: { params: object }) => {
        const series = 'series' in params ? String(params.series) : '';
        asked.push(series);
        const value = recordedReplies[series as RecordedAt['series']];
        const until = clock.now() + 60_000;
        return value
          ? ({ ok: true, value: { value, received: clock.now(), until } } as never)
          : failed('unavailable', '');
      },
    };
    const following = followRecorded(view, { bus, clock, random: () => 0.5 });
    const count = () => asked.splice(0).toSorted();
    await clock.advance(0);
    t.equal(count().length, 5);
    view.expire(clock.now());
    t.ok(Math.abs((view.priceChange('spot', 'BTC') ?? 0) - 1) < 1e-9);
    await clock.advance(10_999);
    t.strictSame(count(), []);
    await clock.advance(1);
    t.strictSame(count(), ['options-open-interest'], 'that has failed');
    await clock.advance(49_999);
    t.equal(count().filter((one) => one !== 'options-open-interest').length, 0);
    await clock.advance(1);
    t.equal(count().filter((one) => one !== 'options-open-interest').length, 4);
    following.stop();
    const told: string[] = [];
    const question = () => ({ params: { series: 'price' }, accept: () => told.push('late') });
    followRecorded({ questions: () => [question] } as never, {
      bus,
      clock,
      random: () => 0,
    }).stop();
    await clock.advance(0);
    t.strictSame([told, count().length], [[], 1], 'a reply after the end');
    await clock.advance(600_000);
    t.strictSame(count(), []);
  },
);
