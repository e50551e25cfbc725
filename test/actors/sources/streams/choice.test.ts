/** Choices by turnover, of which the markets of a stream are made. */
import t from 'tap';
import { trackedMarkets } from '../../../../actors/books/tracked.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { steadyFirst, steadyTop } from '../../../../actors/sources/polling/plan.ts';
import { MarketState } from '../../../../actors/state/market-state.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import { instrument, priceRow } from '../../../support/makers.ts';

t.test('what was chosen stays a tenth of the places longer', (t) => {
  const ranked = Array.from({ length: 40 }, (_, at) => `M${at}`);
  const chosen = (before: string[]) => steadyTop(ranked, 20, new Set(before)).slice(20);
  t.strictSame(chosen([]), []);
  t.strictSame(chosen(['M21', 'M22', 'M39']), ['M21']);
  t.equal(steadyTop(ranked, 20, new Set(['M30']))[19], 'M19', 'the best are always among them');
  t.end();
});

t.test('another market leads with half as much turnover again', (t) => {
  const ranked = (turnover: number) => [
    { market: 'A', turnover },
    { market: 'B', turnover: 100 },
  ];
  t.equal(steadyFirst(ranked(150), 'B')?.market, 'B');
  t.equal(steadyFirst(ranked(151), 'B')?.market, 'A');
  t.equal(steadyFirst(ranked(101), undefined)?.market, 'A');
  t.equal(steadyFirst(ranked(101), 'gone')?.market, 'A');
  t.equal(steadyFirst([], 'B'), undefined);
  t.end();
});

/** The newest readings of an exchange with two spot markets of BTC. */
function twoMarkets() {
  const newest = new NewestRows();
  const about = { source: 'x', part: 'spot', asked: 0, received: 0 };
  const names = ['BTC-USD', 'BTC-USDT'];
  const rows = names.map((market) =>
    instrument({ market, symbol: 'BTC', kind: 'spot', quote: market.slice(4) }),
  );
  newest.accept('instruments', { ...about, rows });
  const trade = (...volumes: number[]) =>
    newest.accept('prices', {
      ...about,
      rows: names.map((market, at) =>
        priceRow({
          ...{ market, symbol: 'BTC', kind: 'spot' as const, quote: market.slice(4), price: 100 },
          volume: volumes[at] ?? null,
        }),
      ),
    });
  return { newest, trade };
}

t.test('markets that cross in turnover do not take turns', (t) => {
  const { newest, trade } = twoMarkets();
  const market = new MarketState(newest);
  const tracked = trackedMarkets({ market, book: new InstrumentBook(newest), assets: 3 });
  const chosen = () => [...tracked('x', 'spot', 0).keys()];
  trade(100, 90);
  t.strictSame(chosen(), ['BTC-USD']);
  for (const volumes of [
    [100, 110],
    [100, 90],
    [100, 149],
  ]) {
    trade(...volumes);
    t.strictSame(chosen(), ['BTC-USD']);
  }
  trade(100, 151);
  t.strictSame(chosen(), ['BTC-USDT']);
  t.end();
});

t.test('markets of builders are assets of their own: the most traded of them', (t) => {
  const newest = new NewestRows();
  const about = { source: 'x', part: 'builders', asked: 0, received: 0 };
  const volumes = { 'xyz:TSLA': 5, 'xyz:GOLD': 9, 'flx:TSLA': 7, 'xyz:OLD': 99, 'xyz:NEW': null };
  const names = Object.entries(volumes).map(([market, volume]) => ({
    market,
    symbol: market.toUpperCase(),
    quote: 'USDC',
    volume,
    kind: market === 'xyz:OLD' ? ('other' as const) : ('perpetual' as const),
  }));
  const rows = names.map((one) => instrument({ ...one, dex: one.market.slice(0, 3) }));
  newest.accept('instruments', { ...about, rows });
  const traded = names.flatMap((one) => (one.kind === 'other' ? [] : [{ ...one, kind: one.kind }]));
  newest.accept('prices', { ...about, rows: traded.map((one) => priceRow({ ...one, price: 1 })) });
  const market = new MarketState(newest);
  const tracked = trackedMarkets({ market, book: new InstrumentBook(newest), assets: 2 });
  t.strictSame([...tracked('x', 'builders', 0).keys()], ['xyz:GOLD', 'flx:TSLA']);
  t.end();
});
