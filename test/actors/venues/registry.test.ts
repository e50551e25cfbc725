import { readFileSync } from 'node:fs';
import t from 'tap';
import { defineVenue, type Venue } from '../../../actors/sources/venue.ts';
import { lenders, optionVenues, venues } from '../../../actors/venues/registry.ts';

/** A venue with an order book and no candles. */
const fake = defineVenue({
  id: 'fake',
  name: 'Fake',
  kinds: ['spot'],
  example: 'BTC-USD',
  apis: {
    rest: {
      hosts: ['https://fake.invalid'],
      budgets: { default: { weight: 1, per: 1000 } },
      fault: () => null,
    },
  },
  parts: ['spot'],
  feeds: { instruments: { every: 1000, parts: {} }, prices: { every: 1000, parts: {} } },
  queries: {
    orderBook: {
      cap: 20,
      most: 20,
      request: ({ market }) => ({ api: 'rest', path: `/book/${market}` }),
      parse: () => ({ bids: [], asks: [], stated: null }),
    },
  },
});
const registry = { ...venues, fake } as const;

t.test('a venue is under its own id, with every kind of budget it names', async (t) => {
  for (const [id, venue] of Object.entries<Venue>(venues)) {
    t.equal(venue.id, id);
  }
});

t.test('the tests of a venue hold what holds for every venue', async (t) => {
  const missing = Object.keys(venues).filter((id) => {
    const file = new URL(`./${id}/index.test.ts`, import.meta.url);
    return !readFileSync(file, 'utf8').includes(`wholeVenue(${id}`);
  });
  t.strictSame(missing, []);
});

t.test('the venues that lend and those with options, in the order of the registry', async (t) => {
  t.strictSame(
    lenders.map(({ id }) => id),
    ['okx', 'bybit', 'bitget', 'gate', 'bitfinex'],
  );
  t.equal(lenders[0]?.poll, venues.okx.polls.loans);
  t.strictSame(optionVenues, [
    { id: 'okx', lists: ['BTC', 'ETH'] },
    { id: 'deribit', lists: ['BTC', 'ETH', 'USDC'] },
  ]);
});

t.test('a missing capability does not compile', async (t) => {
  t.equal(registry.fake.queries.orderBook.cap, 20);
  // @ts-expect-error the fake has no candles
  t.equal(registry.fake.queries.candles, undefined);
  // @ts-expect-error Bybit's options are not followed
  t.equal(venues.bybit.feeds.options, undefined);
});
