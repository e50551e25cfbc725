/**
 * What a venue declares (hosts, budgets, error codes, intervals, bounds) and the requests that it makes, with their
 * weights: equal to a table of `test/fixtures/declared`, which is held against the venue's documents when it changes.
 */
import type { Test } from 'tap';
import type { Poll } from '../../../../actors/sources/define.ts';
import type { BookStream, LatestStream } from '../../../../actors/sources/streams/stream.ts';
import type { MarketQuery, Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument, LongShortParams } from '../../../../actors/topics/index.ts';
import { allIntervals } from '../../../../indicators/market/intervals.ts';
import { line, plain, sameAsDeclared } from '../../../support/declared.ts';
import { contextOf, feedParts } from '../fixtures.ts';

const now = 1_750_000_000_000;

/** Two markets of a part: what a request is like of one is like that of all. */
const marketsOf = (venue: Venue, part: string) =>
  [...contextOf(venue, part).instruments.values()]
    .filter(({ kind }) => kind !== 'other')
    .slice(0, 2);

/** Depths, and numbers of candles, of which venues make steps and weights. */
const depths = [1, 5, 6, 10, 20, 21, 50, 51, 100, 101, 200, 500, 1000];
const limits = [5, 99, 100, 499, 500, 1000, 1001];
/** Forms of ids, by which the part is known where no list holds the market. */
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
  ...['BTC', '@1', 'PERP_BTC_USDT', 'SPOT_BTC_USDT', 'BTC_PERP', 'tBTCUSD', 'BTC-PERP-INTX'],
  ...['BTCUSDT_250926', 'BTCUSD_250926', 'BTC-26JUN26', 'BTCUSDH26'],
  ...['FI_XBTUSD_250926', 'PI_XBTUSD', 'FF_XBTUSD_250926'],
  ...['BTCUSD1', 'BTCUSDC', 'BTCPERP', 'XXBTZUSD', 'XBT/USD', 'BTC_USDC'],
  ...['s1INCHUSDT', 'u1000PEPEUSDT', 'cETHUSD'],
];

/** The text, or the name of the error. */
function orError(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return String(error instanceof Error && error.name);
  }
}

/** What clients ask about a market: every depth, every interval newest and before, and numbers of candles. */
function asked(venue: Venue, part: string): Record<string, string[]> {
  const { orderBook, candles } = venue.queries;
  const [instrument] = marketsOf(venue, part);
  const ask = { market: instrument?.market ?? 'X', part, instrument: instrument ?? null, now };
  const pages = Object.entries(candles?.intervals ?? {}).flatMap(([name, interval]) => {
    const one = { ...ask, interval, limit: 300 };
    const before = Math.floor(now / 3_600_000) * 3_600_000;
    const more =
      name === '1h'
        ? limits.flatMap((limit) => [
            { ...one, limit },
            { ...one, limit, before },
          ])
        : [];
    return [one, { ...one, limit: 3, before }, { ...one, limit: 3, before: before - 1 }, ...more];
  });
  const { now: _, ...timeless } = { ...ask, limit: 3, interval: candles?.intervals['1h'] ?? '' };
  const rare = [
    timeless,
    { ...timeless, before: 3_600_000 },
    { ...timeless, interval: 'another', before: 1_700_000_000_000 },
  ];
  const { cap = 0, most = {} } = orderBook ?? {};
  // Clients ask for some levels, samples of whole books for the most.
  const whole = typeof most === 'number' ? most : (most[part] ?? cap);
  const books = [...depths.filter((depth) => depth <= cap), ...(whole > cap ? [whole] : [])];
  return {
    [`books of ${part}`]: books.flatMap((depth) =>
      orderBook ? line(orderBook.request({ ...ask, depth })) : [],
    ),
    [`candles of ${part}`]: [...pages, ...rare].flatMap((page) =>
      candles ? orError(() => line(candles.request(page))) : [],
    ),
  };
}

/** The parameters of the query of a history: every interval and sort, many rows, and older ones. */
function seriesOf(name: string): Omit<LongShortParams, 'market'>[] {
  const usual = { interval: '1h', limit: 100, of: 'accounts' } as const;
  const pages = [usual, { ...usual, limit: 1000 }, { ...usual, limit: 300, to: now - 3.6e9 }];
  // A hundred fundings ago, where the second page of as many rows begins.
  const hundredth = [100, 101].map((back) => ({ ...usual, to: now - back * 8 * 3.6e6 }));
  if (name === 'fundingHistory' || name === 'depth') return [...pages, ...hundredth];
  const sorts = ['accounts', 'top_accounts', 'top_positions'] as const;
  return (name === 'longShort' ? sorts : sorts.slice(0, 1)).flatMap((of) => [
    ...allIntervals.map((interval) => ({ ...usual, of, interval })),
    ...pages.slice(1).map((page) => ({ ...page, of })),
  ]);
}

type HistoryQuery = MarketQuery<'longShort'>;

/** Histories and other pages about a market; a query reads those of the parameters that it has. */
const isHistory = (entry: [string, object]): entry is [string, HistoryQuery] =>
  entry[0] !== 'orderBook' && entry[0] !== 'candles' && !('about' in entry[1]);

/** What is asked for the histories of the first market of each kind, as far as the venue has them. */
const histories = (venue: Venue, part: string): [string, string[]][] =>
  Object.entries<object>(venue.queries)
    .filter(isHistory)
    .flatMap(([name, query]) => {
      const all = [...contextOf(venue, part).instruments.values()];
      const lines = (['spot', 'perpetual'] as const).flatMap((kind) => {
        const instrument = all.find((one) => one.kind === kind);
        if (!instrument) return [];
        const about = { market: instrument.market, part, kind, instrument, now };
        return seriesOf(name).flatMap((params) => {
          const page = query.page ? query.page({ ...about, ...params }) : {};
          if (page === null) return [];
          const asked = { ...about, ...params, ...page, instrument, now };
          const { interval, of, limit, to = '' } = params;
          const words = `${name === 'longShort' ? `${of} ` : ''}${interval} ${limit} ${to}`.trim();
          return query.requests(asked).map((request) => `${words}: ${line(request)}`);
        });
      });
      return lines.length === 0 ? [] : [[`${name} of ${part}`, lines]];
    });

/** What a stream sends about two markets, and in how many messages about a thousand. */
function subscriptions({ channels }: Pick<LatestStream<never>, 'channels'>, markets: Instrument[]) {
  const named = (all: Instrument[]) => new Map(all.map((one) => [one.market, one]));
  const [first] = markets;
  const many = Array.from({ length: 1000 }, (_, i) =>
    first ? [{ ...first, market: `${first.market}${i}`, symbol: `${first.symbol}${i}` }] : [],
  );
  return [
    ...channels(named(markets)),
    `${channels(named(many.flat())).length} messages for 1000 markets`,
  ];
}

const bookMessages = ({ subscribe, unsubscribe, ask, snapshot }: BookStream, one: Instrument) => [
  subscribe(one),
  unsubscribe(one, {}) ?? 'no message ends it',
  ...(ask ? [ask(one)] : []),
  ...(snapshot ? [line(snapshot.request(one.market))] : []),
];

/** The messages of the streams of a part. */
function streamed(venue: Venue, part: string): Record<string, string[]> {
  const markets = marketsOf(venue, part);
  const found: Record<string, string[]> = {};
  const { events, live, trades, books } = venue;
  for (const [topic, parts] of Object.entries<object>({
    ...live,
    ...events,
    trades: trades ?? {},
  })) {
    const stream = Object.entries(parts).find(([name]) => name === part)?.[1];
    if (stream && 'channels' in stream)
      found[`stream of ${topic} of ${part}`] = subscriptions(stream, markets);
  }
  const book = books?.[part];
  if (book) found[`stream of books of ${part}`] = markets.flatMap((one) => bookMessages(book, one));
  return found;
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

/** The requests for liquidations of three hours in which their stream was not received. */
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
    ...venue.parts.map((part) => Object.fromEntries(histories(venue, part))),
    ...venue.parts.map((part) => streamed(venue, part)),
    Object.fromEntries([...chains(venue), ...polled(venue), ...missed(venue)]),
  ),
});

export const asDeclared = (t: Test, venue: Venue): void =>
  sameAsDeclared(t, venue.id, declared(venue));
