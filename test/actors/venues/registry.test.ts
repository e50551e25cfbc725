import t from 'tap';
import {
  isVenueId,
  type VenueId,
  type VenueWith,
  venues,
  withQuery,
} from '../../../actors/venues/registry.ts';
import { defineVenue, type Venue } from '../../../actors/venues/venue.ts';

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
  partOf: () => 'spot',
  feeds: { instruments: { every: 1000, parts: {} }, prices: { every: 1000, parts: {} } },
  queries: {
    orderBook: {
      cap: 20,
      request: ({ market }) => ({ api: 'rest', path: `/book/${market}` }),
      parse: () => ({ bids: [], asks: [], stated: null }),
    },
  },
});
const registry = { ...venues, fake } as const;

t.test('a venue is under its own id, with every kind of budget it names', async (t) => {
  for (const [id, venue] of Object.entries<Venue>(venues)) {
    t.equal(venue.id, id);
    t.ok(isVenueId(id));
    t.ok(venue.parts.includes(venue.partOf(venue.example)), `${id}: its example has a part`);
  }
  for (const id of ['nope', 'toString', '__proto__', '']) t.notOk(isVenueId(id), id);
});

t.test('the venues that answer a query', async (t) => {
  const ids: VenueId[] = withQuery('orderBook');
  const all: readonly Venue[] = Object.values(venues);
  t.strictSame(
    ids,
    all.filter((venue) => venue.queries.orderBook).map((venue) => venue.id),
  );
  t.ok(withQuery('candles').includes('okx'));
});

t.test('a missing capability does not compile', async (t) => {
  const book: VenueWith<'orderBook', typeof registry> = 'fake';
  t.equal(registry[book].queries.orderBook.cap, 20);
  // @ts-expect-error the fake has no candles, so it is not one of the venues that have
  const candles: VenueWith<'candles', typeof registry> = 'fake';
  // @ts-expect-error nor does its object have the key
  t.equal(registry.fake.queries.candles, undefined);
  t.equal(candles, 'fake');
  // @ts-expect-error a venue that is not in the registry has nothing
  const nobody: VenueWith<'orderBook'> = 'fake';
  t.equal(nobody, 'fake');
});

t.test(
  'a venue without hosts, default budget or place for a part is refused at load',
  async (t) => {
    const { apis, feeds } = fake;
    const bare = { ...apis.rest, hosts: [] };
    t.throws(() => defineVenue({ ...fake, apis: { rest: bare } }), /without hosts/);
    const poor = { ...apis.rest, budgets: {} };
    t.throws(() => defineVenue({ ...fake, apis: { rest: poor } }), /default budget/);
    const stray = { requests: () => [], parse: () => ({ rows: [], dropped: [] }) };
    const prices = { every: 1, parts: { stray } };
    t.throws(() => defineVenue({ ...fake, feeds: { ...feeds, prices } }), /no place in the order/);
  },
);
