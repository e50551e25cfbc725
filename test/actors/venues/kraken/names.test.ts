/** Pairs of Kraken by the names of its streams, which keep its own words for coins: `LUNA/USD` is Terra Classic. */
import t from 'tap';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { context } from '../stream-suite.ts';

const pair = (altname: string, wsname: string) => ({
  ...{ altname, wsname, aclass_base: 'currency', base: wsname.split('/')[0], quote: 'ZUSD' },
  ...{ pair_decimals: 4, lot_decimals: 8, status: 'online' },
});
const result = {
  LUNAUSD: pair('LUNAUSD', 'LUNA/USD'),
  LUNA2USD: pair('LUNA2USD', 'LUNA2/USD'),
  XREPZUSD: pair('REPUSD', 'REP/USD'),
  REPV2USD: pair('REPV2USD', 'REPV2/USD'),
  XDGUSD: pair('XDGUSD', 'XDG/USD'),
  XXBTZUSD: pair('XBTUSD', 'XBT/USD'),
};
const { rows } = kraken.feeds.instruments.parts.spot.parse(
  [{ error: [], result }],
  context([]),
).instruments;
const at = { ...context(rows), connection: {} };
const names = {
  LUNAUSD: 'LUNA/USD',
  LUNA2USD: 'LUNA2/USD',
  XREPZUSD: 'REP/USD',
  REPV2USD: 'REPV2/USD',
  XDGUSD: 'DOGE/USD',
  XXBTZUSD: 'BTC/USD',
};
const symbolsIn = (channels: readonly string[]) =>
  channels.flatMap((text) => JSON.parse(text).params.symbol);

t.test('the coin of each pair', async (t) => {
  t.strictSame(
    rows.map(({ market, symbol }) => `${market} ${symbol}`),
    [
      'LUNAUSD LUNC',
      'LUNA2USD LUNA',
      'XREPZUSD REPV1',
      'REPV2USD REP',
      'XDGUSD DOGE',
      'XXBTZUSD BTC',
    ],
  );
});

t.test('subscriptions name pairs by the words of the exchange, two of them renamed', async (t) => {
  const wanted = Object.values(names);
  t.strictSame(symbolsIn(kraken.live.prices.spot.channels(at.instruments)), wanted);
  t.strictSame(symbolsIn(kraken.trades.spot.channels(at.instruments)), wanted);
  for (const row of rows) {
    const [message = ''] = kraken.books.spot.channels(new Map([[row.market, row]]));
    const { params } = JSON.parse(message);
    t.strictSame(params.symbol, [names[row.market as keyof typeof names]], row.market);
  }
});

t.test('prices, trades and books come to the pair that the message names', async (t) => {
  const time = '2026-02-16T10:00:00.250000Z';
  const ticker = {
    symbol: 'LUNA/USD',
    bid: 0.00006,
    ask: 0.00008,
    last: 0.00007,
    volume: 9e8,
    vwap: 0.00007,
  };
  const told = [
    kraken.live.prices.spot.parse(
      { channel: 'ticker', type: 'update', data: [{ ...ticker, timestamp: time }] },
      at,
    )?.prices?.rows,
    kraken.trades.spot.parse(
      {
        channel: 'trade',
        type: 'update',
        data: [
          { symbol: 'REP/USD', side: 'buy', price: 1.7, qty: 12, trade_id: 91, timestamp: time },
        ],
      },
      at,
    )?.rows,
    kraken.books.spot.parse(
      {
        channel: 'book',
        type: 'snapshot',
        data: [
          {
            symbol: 'LUNA2/USD',
            bids: [{ price: 0.41, qty: 30 }],
            asks: [{ price: 0.42, qty: 70 }],
            checksum: 7,
          },
        ],
      },
      at,
    )?.updates,
  ];
  t.match(told, [
    [{ market: 'LUNAUSD', symbol: 'LUNC', price: 0.00007 }],
    [{ market: 'XREPZUSD', price: 1.7 }],
    [{ market: 'LUNA2USD' }],
  ]);
});
