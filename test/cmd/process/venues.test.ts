/** What routes and views learn of the exchanges, from the declarations of three of them. */
import t from 'tap';
import { venues as registry } from '../../../actors/venues/registry.ts';
import {
  catalogueOf,
  eventStreamsOf,
  feedsOf,
  optionListsOf,
} from '../../../cmd/process/venues.ts';

const { okx, lighter, coinbase } = registry;
const three = new Map([okx, lighter, coinbase].map((venue) => [venue.id, venue]));
const { registry: rows, exchanges, candleIntervals } = catalogueOf(three);

t.test('an exchange is described by what is polled, streamed and asked on demand', async (t) => {
  t.strictSame(
    rows.find(({ id }) => id === 'lighter'),
    {
      id: 'lighter',
      name: 'Lighter',
      kinds: ['spot', 'perpetual'],
      example: 'BTC',
      capabilities: {
        prices: { how: 'streamed', every_seconds: 30 },
        derivatives: { how: 'streamed', every_seconds: 30 },
        open_interest: { how: 'polled', every_seconds: 30 },
        orderbook: { how: 'on_demand', every_seconds: null },
        bars: { how: 'on_demand', every_seconds: null },
        recent_trades: { how: 'on_demand', every_seconds: null },
      },
      orderbook_cap: 50,
      bar_intervals: ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d'],
    },
  );
  const named = Object.keys(rows.find(({ id }) => id === 'okx')?.capabilities ?? {});
  const compound = ['open_interest', 'long_short', 'taker_volume', 'open_interest_history'];
  for (const name of [...compound, 'funding_history']) t.ok(named.includes(name), name);
});

t.test('which exchanges answer a question', async (t) => {
  t.match(exchanges, {
    orderBook: ['okx', 'lighter', 'coinbase'],
    candles: ['okx', 'lighter', 'coinbase'],
    longShort: ['okx'],
    loans: ['okx'],
    options: ['okx'],
  });
});

t.test('intervals of candles that an exchange lacks are made from shorter ones', async (t) => {
  for (const interval of ['3m', '2h', '6h', '8h', '3d', '1M'] as const) {
    t.notOk(Object.hasOwn(lighter.queries.candles?.intervals ?? {}, interval), interval);
    t.ok(candleIntervals.get('lighter')?.includes(interval), interval);
  }
});

t.test('parts of feeds, lists of options and streams of events', async (t) => {
  t.strictSame(feedsOf(three, ['prices']), [
    'okx/prices/spot',
    'okx/prices/swap',
    'lighter/prices/all',
    'coinbase/prices/spot',
    'coinbase/prices/perpetual',
  ]);
  t.strictSame([...optionListsOf(three)], [['okx', ['BTC', 'ETH']]]);
  t.strictSame(Object.fromEntries(eventStreamsOf(three, 'liquidations')), {
    okx: ['swap'],
    lighter: ['all'],
  });
  t.strictSame([...eventStreamsOf(three, 'optionTrades')], [['okx', ['swap']]]);
});
