/** The tables of markets: what they are made of, and when. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics/index.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { type Tables, TablesView } from '../../../http/views/market-tables.ts';
import { RecordedView } from '../../../http/views/recorded-values.ts';
import { FakeClock } from '../../support/clock.ts';
import { instrument, now, priceRow } from '../../support/makers.ts';

t.test('the tables of markets follow their sources within a second, or after ten', async (t) => {
  const volumes = [1, 9, null, 4];
  const markets = volumes.map((volume, i) =>
    priceRow({ market: `M${i}`, symbol: i === 3 ? 'ETH' : 'BTC', price: 10, volume }),
  );
  const rates = new Map([['USDT', 0.5]]);
  const fresh = (received: number) => markets.map((row) => ({ exchange: 'a', row, received }));
  const listed = (kind: Instrument['kind'], symbol: string, quote = 'USDT'): Instrument =>
    instrument({ market: symbol, kind, symbol, quote });
  const lists: [string, Instrument[]][] = [
    ['b', [listed('spot', 'ETH'), listed('other', 'X'), listed('spot', 'Y', 'EUR')]],
    ['a', [listed('spot', 'ETH'), listed('spot', 'BTC')]],
  ];
  const recordedValues = new RecordedView();
  const sources = {
    prices: { fresh, rates: () => rates },
    perpetuals: { all: () => [] },
    instruments: { all: () => lists },
    recorded: recordedValues,
    liquidations: { recent: () => null },
  };
  const view = new TablesView(sources, new FakeClock(now));
  const query = {};
  const build = (tables: Tables) => ({
    spot: tables.spot.all.map(({ market, price, turnover }) => [market, price, turnover]),
    listed: [...tables.spotListed].map(([symbol, on]) => `${symbol} ${[...on]}`),
    own: tables.recorded === recordedValues,
    found: [{ symbol: 'btc-usdt' }, { symbol: 'X' }, { exchange: 'a' }, { exchange: 'b' }, {}].map(
      (filter) => {
        const found = tables.spot.markets(filter);
        return 'error' in found ? found.message : found.length;
      },
    ),
    assets: new Set([1, 2].map(() => tables.spot.assets({}))).size,
  });
  const read = view.source.answers({ build: () => view.read(build) });
  const answer = () => {
    const found = read(query);
    return found instanceof Snapshot
      ? { asOf: found.asOf, ...JSON.parse(`${found.at(now)}`).data }
      : found;
  };
  t.equal(answer(), null);
  view.touch(now - 5);
  view.touch(now - 9);
  view.expire(now);
  t.strictSame(answer(), {
    asOf: now - 5,
    own: true,
    assets: 1,
    spot: [
      ['M1', 5, 4.5],
      ['M3', 5, 2],
      ['M0', 5, 0.5],
    ],
    listed: ['BTC a', 'ETH b,a'],
    found: [2, "unknown symbol 'X'", 3, 'there is no fresh reading of b yet', 3],
  });
  const first = read(query);
  rates.set('USDT', 1);
  view.expire(now + 9_999);
  t.equal(read(query), first, 'nothing has changed');
  view.expire(now + 10_000);
  t.equal(answer().spot[0][1], 10, 'rows may have become too old');
  rates.clear();
  view.touch();
  view.expire(now + 10_001);
  t.match(answer(), { spot: [], found: Array(5).fill(/no data yet/), asOf: now - 5 });
});

t.test(
  'tables that are read are made anew in turns, and announced when they are whole',
  async (t) => {
    let price = 10;
    const fresh = () =>
      ['A', 'B', 'C', 'D'].map((market) => {
        const row = priceRow({ market, price, volume: 1 });
        return { exchange: 'a', row, received: now };
      });
    // Every look at the clock finds it a millisecond later, and a turn takes two.
    let time = 0;
    const turns: (() => void)[] = [];
    const clock = {
      monotonic: () => time++,
      after: (_ms: number, fn: () => void) => {
        turns.push(fn);
        return () => {};
      },
    };
    const rest = () => {
      while (turns.length > 0) turns.shift()?.();
    };
    const sources = {
      prices: { fresh, rates: () => new Map([['USDT', 1]]) },
      perpetuals: { all: () => [] },
      instruments: { all: () => [] },
      recorded: new RecordedView(),
      liquidations: { recent: () => null },
    };
    const view = new TablesView(sources, clock);
    const prices = () => view.read(({ spot }) => spot.all.map((one) => one.price));
    const expire = (at: number) => {
      view.touch(at);
      view.expire(at);
    };
    expire(now);
    t.strictSame(prices(), [10, 10, 10, 10], 'the first reader does not wait');
    let announced = 0;
    view.source.listen(undefined, () => announced++);
    price = 11;
    expire(now + 1);
    t.strictSame(
      [prices(), announced],
      [[10, 10, 10, 10], 0],
      'those of before until they are whole',
    );
    expire(now + 2);
    t.equal(turns.length, 1, 'what changes meanwhile waits');
    rest();
    t.strictSame([prices(), announced], [[11, 11, 11, 11], 1]);
    price = 12;
    view.expire(now + 3);
    rest();
    t.strictSame([prices(), announced], [[12, 12, 12, 12], 2], 'and comes after that');
    expire(now + 4);
    rest();
    expire(now + 5);
    t.strictSame([turns.length, announced], [0, 4], 'what nobody has read since is not made');
  },
);
