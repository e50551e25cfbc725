import t from 'tap';
import { mexc } from '../../../../actors/venues/mexc/index.ts';
import { sameRows } from '../../../support/table.ts';
import { askFor, derivativesOf, fixture, instrumentOf, kindsOf, received } from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { candles } = mexc.queries;
const { parse } = mexc.feeds.instruments.parts.contracts;
const nothing = { received, instruments: new Map() };

t.test('the markets that are followed', async (t) => {
  t.strictSame(kindsOf(mexc, 'spot'), {
    spot: 'BTCUSDT ETHBTC USDCUSDT 1000SATSUSDT',
    // OLDUSDT: status 2; SHUTUSDT: no spot trading; BTC3LUSDT: leveraged
    other: 'OLDUSDT SHUTUSDT BTC3LUSDT',
  });
  t.strictSame(kindsOf(mexc, 'contracts'), {
    perpetual: 'BTC_USDT 1000BONK_USDT BTC_USD ETH_USDC',
    // OLD_USDT: paused; GHOST_USDT: hidden; TSLASTOCK_USDT: a share
    other: 'OLD_USDT GHOST_USDT TSLASTOCK_USDT',
  });
  sameRows(t, [
    instrumentOf(mexc, 'spot', 'BTCUSDT'),
    instrumentOf(mexc, 'contracts', '1000BONK_USDT'),
  ])`
    market        kind      symbol quote scale contract inverse funding_hours tick
    BTCUSDT       spot      BTC    USDT  1     1        false   - 1e-8
    1000BONK_USDT perpetual BONK   USDT  1000  10       false   - 0.1/1000
  `;
  t.match(instrumentOf(mexc, 'contracts', 'BTC_USD'), {
    quote: 'USD',
    contract: 100,
    inverse: true,
  });
  const odd = { symbol: 'X_USDT', baseCoin: 'X', quoteCoin: 'USDT', contractSize: 1, state: 0 };
  const rows = [{ ...odd, settleCoin: 'BTC' }, odd];
  t.strictSame(parse([{ data: rows }], nothing).instruments.rows, [], 'no known unit');
});

t.test('derivatives: the rates, hours and times are in a list of their own', async (t) => {
  const { rows, dropped } = derivativesOf(mexc, 'contracts');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[1]))`
    market        symbol quote mark       index      funding_rate funding_hours funding_rate_8h next_funding      stated
    // funding_rate: not the -0.00006 of the ticker
    1000BONK_USDT BONK   USDT  0.00002002 0.00002005 -0.00005     4             -0.0001         1_750_003_200_000 1_750_000_000_321
  `;
  t.strictSame(
    rows.map((row) => [row.market, row.mark, row.index, row.funding_rate, row.funding_hours]),
    [
      ['BTC_USDT', 104_005.5, 104_010.25, 0.00011, 8],
      ['1000BONK_USDT', 0.02002 / 1000, 0.02005 / 1000, -0.00005, 4],
      ['BTC_USD', 100_002.5, 100_010.5, 0.0002, 8],
      ['ETH_USDC', 2501, 2502, 0.0003, null], // that of the ticker
    ],
  );
});

t.test('candles', async (t) => {
  const bars = (part: string, market: string) =>
    candles.parse(fixture(mexc, `${part}-candles`), askFor(mexc, part, market));
  sameRows(t, bars('spot', 'BTCUSDT')[0])`
    timestamp         open   high   low    close  volume turnover
    1_749_996_000_000 103000 104500 102000 104000 10     1_042_000
  `;
  sameRows(t, bars('contracts', 'BTC_USDT')[0])`
    timestamp         open   high   low    close  volume turnover
    1_749_996_000_000 103000 104500 102000 104000 10     1_042_000 // turnover: 100,000 x 0.0001 BTC
  `;
  // 100,000 x 100 USD at (103,000 + 104,500 + 102,000 + 104,000) / 4 = 103,375
  const inverse = { volume: 10_000_000 / 103_375, turnover: 10_000_000 };
  t.match(bars('contracts', 'BTC_USD')[0], inverse);
  const ask = askFor(mexc, 'contracts', 'BTC_USDT');
  const empty = { time: [], open: [], high: [], low: [], close: [], vol: [], amount: [] };
  t.strictSame(candles.parse({ success: true, data: empty }, ask), []);
  t.throws(() => candles.parse({ data: { time: [1] } }, ask), { name: 'ShapeError' });
});

t.test('a scale that only the name states, dated contracts and metals', async (t) => {
  const detail = (symbol: string, baseCoin: string, over = {}) => ({
    symbol,
    baseCoin,
    quoteCoin: 'USDT',
    settleCoin: 'USDT',
    contractSize: 10,
    state: 0,
    isHidden: false,
    ...over,
  });
  const data = [
    detail('1000RATS_USDT', 'RATS'),
    detail('PEPE_USDT', 'PEPE', { futureType: 1 }),
    detail('BTC_USDT_260925', 'BTC', { futureType: 2 }),
    detail('GOLD(XAUT)_USDT', 'GOLD(XAUT)'),
  ];
  const { rows } = parse([{ success: true, code: 0, data }], nothing).instruments;
  t.match(rows, [
    { symbol: 'RATS', scale: 1000, kind: 'perpetual' },
    { symbol: 'PEPE', scale: 1, kind: 'perpetual' },
    { symbol: 'BTC', kind: 'other' },
    { kind: 'other' },
  ]);
});

wholeVenue(t, mexc);
