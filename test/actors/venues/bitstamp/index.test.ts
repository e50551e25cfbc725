import t from 'tap';
import { bitstamp } from '../../../../actors/venues/bitstamp/index.ts';
import { sameRows } from '../../../support/table.ts';
import { bodiesOf, contextOf, derivativesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('marks out of the tickers, rates per 8 hours market by market', async (t) => {
  const { rows, dropped } = derivativesOf(bitstamp, 'markets');
  t.strictSame(dropped, []);
  sameRows(t, rows[0])`
    market      symbol quote mark       index     funding_rate funding_hours funding_rate_8h next_funding      stated
    btcusd-perp BTC    USD   104_022.25 104_011.5 0.00013      8             0.00013         1_750_003_200_000 1_750_000_001_000
  `;
  t.match(rows.slice(1), [
    { market: 'ethusd-perp', index: null, funding_rate: -0.0002, next_funding: null },
    { market: 'newusd-perp', mark: null, index: 3.01, funding_rate: null, funding_rate_8h: null },
  ]);
  const [tickers, btc] = bodiesOf(bitstamp, 'markets-derivatives');
  const { parse } = bitstamp.feeds.derivatives.parts.markets;
  const context = contextOf(bitstamp, 'markets');
  t.strictSame(
    parse([tickers, btc, undefined, undefined], context).derivatives.rows.map((row) => row.market),
    ['btcusd-perp'],
    'markets whose rate did not come are left out',
  );
  const { dropped: unreadable } = parse([tickers, btc, '<html>'], context).derivatives;
  t.strictSame(unreadable, [{ key: '', code: 'bad_row' }]);
});

t.test('a message announces the end of a connection', async (t) => {
  const { ends } = bitstamp.trades.markets;
  const messages = [{ event: 'bts:request_reconnect' }, { event: 'trade', data: {} }];
  t.strictSame(
    messages.map((one) => ends?.(one)),
    [true, false],
  );
});

wholeVenue(t, bitstamp);
