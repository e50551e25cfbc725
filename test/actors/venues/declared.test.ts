/**
 * What every venue declares (hosts, budgets, error codes, intervals, bounds) and the requests that it makes, with their
 * weights: equal to a table of `test/fixtures/declared`, which is held against the venue's documents when it changes.
 */
import t from 'tap';
import type { Poll } from '../../../actors/sources/define.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { plain, sameAsDeclared } from '../../support/declared.ts';
import { contextOf, feedParts } from './fixtures.ts';

const now = 1_750_000_000_000;

/** `GET spot/books x5 /api/v3/depth?limit=50 {body} optional`. */
function line({ method = 'GET', api, budget = 'default', weight = 1, ...more }: UpstreamRequest) {
  const { path, query = {}, body, optional, market } = more;
  const words = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  return [
    ...[
      method,
      `${api}/${budget}`,
      `x${weight}`,
      [path, words.join('&')].filter(Boolean).join('?'),
    ],
    ...(body === undefined ? [] : [JSON.stringify(body)]),
    ...[market === undefined ? '' : `of ${market}`, optional ? 'optional' : ''].filter(Boolean),
  ].join(' ');
}

/** Two markets of a part: what a request is like of one is like that of all. */
const marketsOf = (venue: Venue, part: string) =>
  [...contextOf(venue, part).instruments.values()]
    .filter(({ kind }) => kind !== 'other')
    .slice(0, 2);

/** Depths, and numbers of candles, of which venues make steps and weights. */
const depths = [1, 5, 6, 10, 20, 21, 50, 51, 100, 101, 200, 500, 1000];
const limits = [5, 99, 100, 499, 500, 1000, 1001];
/** Forms of ids, of which the part is told where no list holds the market. */
const forms = [
  ...[
    'BTCUSDT',
    'BTCUSD',
    'BTC_USDT',
    'BTC_USD',
    'BTC-USDT',
    'BTC-USD',
    'BTC-USDT-SWAP',
    'btcusdt',
  ],
  ...[
    'sBTCUSDT',
    'PF_XBTUSD',
    'XBTUSDTM',
    'BTCUSD_PERP',
    'BTC-PERPETUAL',
    'BTC_USDC-PERPETUAL',
    'BTC-PERP',
  ],
  ...['BTC', '@1', 'PERP_BTC_USDT', 'SPOT_BTC_USDT', 'BTC_PERP', 'tBTCUSD'],
];

/** What clients ask about a market: every depth, every interval newest and before, and numbers of candles. */
function asked(venue: Venue, part: string): Record<string, string[]> {
  const { orderBook, candles } = venue.queries;
  const [instrument] = marketsOf(venue, part);
  const ask = { market: instrument?.market ?? 'X', part, instrument: instrument ?? null, now };
  const pages = Object.entries(candles?.intervals ?? {}).flatMap(([name, interval]) => {
    const one = { ...ask, interval, limit: 300 };
    const before = Math.floor(now / 3_600_000) * 3_600_000;
    const more = name === '1h' ? limits.map((limit) => ({ ...one, limit })) : [];
    return [one, { ...one, limit: 3, before }, { ...one, limit: 3, before: before - 1 }, ...more];
  });
  const books = depths.filter((depth) => depth <= (orderBook?.cap ?? 0));
  return {
    [`books of ${part}`]: books.flatMap((depth) =>
      orderBook ? line(orderBook.request({ ...ask, depth })) : [],
    ),
    [`candles of ${part}`]: pages.flatMap((page) => (candles ? line(candles.request(page)) : [])),
  };
}

/** What is asked for the chains of options, list by list. */
const chains = ({ feeds }: Venue): [string, string[]][] =>
  Object.entries(feeds.options?.parts ?? {}).map(([list, { requests }]) => [
    `options of ${list}`,
    requests({ markets: [], now }).map(line),
  ]);

/** What jobs ask, of assets of their own choice. */
const polled = ({ polls = {} }: Venue): [string, string[]][] =>
  Object.entries(polls).map(([name, poll]: [string, Poll<unknown>]) => [
    `poll ${name}`,
    poll.requests({ now }).map(line),
  ]);

/** What is asked for liquidations of three hours in which their stream was not heard. */
const missed = (venue: Venue): [string, string[]][] =>
  Object.entries(venue.events?.liquidations ?? {}).flatMap(([part, { past }]) => {
    const { instruments } = contextOf(venue, part);
    const range = { from: now - 10_800_000, to: now };
    return past
      ? [[`past liquidations of ${part}`, past.requests(instruments, range).map(line)]]
      : [];
  });

const declared = (venue: Venue) => ({
  ...plain(venue),
  partsOf: Object.fromEntries(forms.map((form) => [form, venue.partOf(form)])),
  requests: Object.assign(
    {},
    ...feedParts(venue)
      .filter(({ shared }) => !shared)
      .map(({ topic, part, feed }) => {
        const markets = feed.rotates ? marketsOf(venue, part).map(({ market }) => market) : [];
        return { [`${topic} of ${part}`]: feed.requests({ markets, now }).map(line) };
      }),
    ...venue.parts.map((part) => asked(venue, part)),
    Object.fromEntries([...chains(venue), ...polled(venue), ...missed(venue)]),
  ),
});

for (const venue of Object.values<Venue>(venues)) {
  t.test(venue.id, async (t) => sameAsDeclared(t, venue.id, declared(venue)));
}
