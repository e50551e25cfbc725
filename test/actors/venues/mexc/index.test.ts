import t from 'tap';
import { mexc } from '../../../../actors/venues/mexc/index.ts';
import { sameRows } from '../../../support/table.ts';
import { instrumentOf, kindsOf, received } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

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
