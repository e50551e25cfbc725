import t from 'tap';
import type { Apis, MarketPoll, RequestOf } from '../../../actors/sources/define.ts';
import { defineVenue } from '../../../actors/sources/venue.ts';

const budget = { weight: 1, per: 1000 };
const apis = {
  rest: { hosts: ['https://fake.invalid'], budgets: { default: budget, books: budget } },
  futures: { hosts: ['https://fake.invalid'], budgets: { default: budget } },
} as const satisfies Apis;

type Ask = RequestOf<typeof apis>;

const nothing = { rows: [], dropped: [] };
const poll = (ask: Ask): MarketPoll<'instruments' | 'prices', Ask> => ({
  requests: () => [ask],
  parse: () => ({ instruments: nothing, prices: nothing }),
});
const list = { every: 1000, parts: { spot: poll({ api: 'rest', path: '/list' }) } };
const fake = {
  id: 'fake',
  name: 'Fake',
  kinds: ['spot'],
  example: 'BTC-USD',
  apis,
  parts: ['spot'],
  feeds: { instruments: list, prices: list },
  queries: {},
} as const;

t.test('a part without place in the order or instrument list is refused', async (t) => {
  const feeds = (part: string) => {
    const parts = { [part]: poll({ api: 'rest', path: '/' }) };
    return { instruments: { every: 1, parts: {} }, prices: { every: 1, parts } };
  };
  for (const part of ['stray', 'spot'])
    t.throws(() => defineVenue({ ...fake, feeds: feeds(part) }), new RegExp(`part ${part} has no`));
  t.equal(defineVenue(fake), fake);
});

t.test('names of APIs and budgets are those of the venue', async (t) => {
  const good: Ask = { api: 'rest', budget: 'books', path: '/book' };
  // @ts-expect-error there is no such API
  const api: Ask = { api: 'spot', path: '/book' };
  // @ts-expect-error the API has no such budget
  const name: Ask = { api: 'rest', budget: 'book', path: '/book' };
  // @ts-expect-error another API has it
  const other: Ask = { api: 'futures', budget: 'books', path: '/book' };
  t.equal([good, api, name, other].length, 4);
  const orderBook = (ask: Ask) =>
    ({
      cap: 20,
      most: 20,
      request: () => ask,
      parse: () => ({ bids: [], asks: [], stated: null }),
    }) as const;
  const answers = defineVenue({ ...fake, queries: { orderBook: orderBook(good) } });
  t.equal(answers.queries.orderBook.cap, 20);
  // @ts-expect-error it has no candles
  t.equal(answers.queries.candles, undefined);
  const elsewhere = { requests: () => [{ api: 'spot', path: '/' }], parse: poll(good).parse };
  const feeds = { instruments: list, prices: { every: 1, parts: { spot: elsewhere } } };
  t.throws(
    // @ts-expect-error a poll of this venue asks an API that the venue has
    () => defineVenue({ ...fake, feeds }),
    { message: 'venue fake: a poll asks spot/default, which it does not have' },
  );
  const bare = { ...apis.rest, hosts: [] } as const;
  // @ts-expect-error an API has a host
  const hostless: Apis = { rest: bare };
  // @ts-expect-error an API has a default budget
  const poor: Apis = { rest: { ...apis.rest, budgets: { books: budget } } };
  t.ok(hostless && poor);
});
