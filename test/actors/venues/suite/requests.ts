/**
 * The requests of polls, for order books, trades, candles and histories, the words for intervals, and the messages that
 * subscribe to streams, as a venue documents them, against `test/fixtures/<venue>/requests.txt`. A line is a question, a colon, and the requests joined by ` & `: API and budget, weight, path, query. A line that begins with
 * spaces goes on with the one before; one that begins with `#` names the source. `moments.ts` has the words for times.
 */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import type { TradeStream } from '../../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { type Interval, intervals, type LongShortOf } from '../../../../actors/topics/index.ts';
import type { UpstreamRequest } from '../../../../actors/upstream/request.ts';
import { contextOf, feedParts, instrumentOf, received } from '../fixtures.ts';
import { partOf, withBehind } from './addresses.ts';
import { now, sent, timeOf } from './moments.ts';
import { isHistory } from './ranges.ts';

/** `spot x40 /api/v3/ticker/24hr`: API and budget, weight, path; a budget may have the name of the path. */
function line(request: UpstreamRequest): string {
  const { method, api, budget = 'default', weight = 1, path, optional, instead } = request;
  const from = ['default', path].includes(budget) ? api : `${api}.${budget}`;
  const words = [method === 'POST' ? 'POST' : '', from, `x${weight}`, path];
  const behind = instead ? `else ${line(instead)}` : '';
  return [...words, optional ? 'optional' : '', behind].filter(Boolean).join(' ');
}

/** `a=1 b.c=2` */
const pairs = (value: unknown, name = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => pairs(inner, name ? `${name}.${key}` : key))
    : [`${name}=${value}`];

const written = (request: UpstreamRequest): string =>
  [line(request), ...pairs(request.query ?? {}), ...pairs(request.body ?? {})].join(' ');

const isInterval = (name: string): name is Interval => Object.hasOwn(intervals, name);

/** The words of a question. */
interface Question {
  name: string;
  part: string;
  market: string;
  interval: Interval;
  limit: number;
  /** Unix ms; exclusive of candles, inclusive of histories. */
  end?: number;
}

function questionOf(words: string): Question {
  const [, name = '', part = '', market = '', interval = '1h', limit, end] =
    /^(\w+) (\S+) (\S+)(?: (\d+[mhdwM]))? x(\d+)(?: to (\S+))?$/.exec(words) ?? [];
  if (!isInterval(interval)) throw new Error(`no question: ${words}`);
  const asked = { name, part, market, interval, limit: Number(limit) };
  return end === undefined ? asked : { ...asked, end: timeOf(end) };
}

/** The words of the table for histories. */
const histories: Readonly<Record<string, { name: string; of: LongShortOf }>> = {
  fundings: { name: 'fundingHistory', of: 'accounts' },
  interest: { name: 'openInterestHistory', of: 'accounts' },
  accounts: { name: 'longShort', of: 'accounts' },
  top_accounts: { name: 'longShort', of: 'top_accounts' },
  top_positions: { name: 'longShort', of: 'top_positions' },
  taker: { name: 'takerVolume', of: 'accounts' },
  margin: { name: 'marginHistory', of: 'accounts' },
  takerCandles: { name: 'takerCandles', of: 'accounts' },
};

function historyRequests(venue: Venue, question: Question): readonly UpstreamRequest[] {
  const { part, market, interval, limit, end } = question;
  const { name = 'longShort', of = 'accounts' } = histories[question.name] ?? {};
  const [, query] =
    Object.entries<object>(venue.queries)
      .filter(isHistory)
      .find(([own]) => own === name) ?? [];
  const instrument = instrumentOf(venue, part, market);
  const asked = { market, part, instrument, now, interval, of, limit, ...(end && { to: end }) };
  const page = query?.page?.(asked);
  return page && query ? query.requests({ ...asked, ...page, instrument, now }) : [];
}

function tradeRequests(venue: Venue, { part, market, limit }: Question) {
  const { recentTrades } = venue.queries;
  const instrument = instrumentOf(venue, part, market);
  const asked = { market, part, instrument, now, limit };
  const page = recentTrades?.page?.(asked);
  return page && recentTrades ? recentTrades.requests({ ...asked, ...page, instrument, now }) : [];
}

function requestsOf(venue: Venue, question: Question): readonly UpstreamRequest[] {
  const { name, part, market, interval, limit, end } = question;
  const { orderBook, candles } = venue.queries;
  const ask = { market, part, instrument: instrumentOf(venue, part, market), now };
  if (name === 'book') return orderBook ? [orderBook.request({ ...ask, depth: limit })] : [];
  if (name === 'trades') return tradeRequests(venue, question);
  if (name !== 'candles') return historyRequests(venue, question);
  const word = candles?.intervals[interval];
  if (!candles || word === undefined) return [];
  const which = { interval: word, limit, ...(end !== undefined && { before: end }) };
  return [candles.request({ ...ask, ...which })];
}

/** The messages that subscribe to a market by the stream of a topic; of books also the one that ends that. */
function framesOf(venue: Venue, words: string): string[] {
  const [, topic = '', part = '', market = ''] = words.split(' ');
  const { live, events, trades, books } = venue;
  const instrument = instrumentOf(venue, partOf(part), market);
  if (topic === 'books') {
    const stream = withBehind(books)[part];
    const one = new Map([[market, instrument]]);
    return stream ? [...stream.channels(one), ...(stream.unsubscribe?.(one, {}) ?? [])] : [];
  }
  const all: Readonly<
    Record<string, Readonly<Record<string, Pick<TradeStream, 'channels'> | undefined>>>
  > = {
    ...live,
    ...events,
    trades: withBehind(trades),
  };
  return [...(all[topic]?.[part]?.channels(new Map([[market, instrument]])) ?? [])];
}

/** Requests of the polls of a venue, by `poll TOPIC PART`, each once; of those that rotate for one market. */
const pollsOf = (venue: Venue): Record<string, string[]> =>
  Object.fromEntries(
    feedParts(venue)
      .filter(({ shared }) => !shared)
      .map(({ topic, part, feed }) => {
        const { instruments } = contextOf(venue, part);
        const fits = ({ kind }: { kind: string }) =>
          topic === 'openInterest' ? kind === 'perpetual' : kind !== 'other';
        const one = [...instruments.values()].find(fits);
        const markets = feed.names?.(instruments) ?? (feed.rotates && one ? [one.market] : []);
        const asked = feed.requests({ markets, now: received }).map(line);
        return [`poll ${topic} ${part}`, [...new Set(asked)]];
      }),
  );

/** Words in one order, whatever that of the query. */
const sorted = (request: string): string => {
  const words = request.split(' ');
  const first = words.findIndex((word) => word.includes('='));
  if (first < 0) return request;
  return [...words.slice(0, first), ...words.slice(first).sort()].join(' ');
};

/** What no line asks for, by part, newest and older. */
function unasked(venue: Venue, questions: readonly Question[]): string[] {
  const names = ['candles', ...Object.keys(histories)];
  const wanted = venue.parts.flatMap((part) => names.map((name) => ({ name, part })));
  const trades = venue.parts.filter(
    (part) =>
      answers(venue, 'trades', part) &&
      !questions.some((one) => one.name === 'trades' && one.part === part),
  );
  if (trades.length > 0) return trades.map((part) => `trades of ${part}`);
  return wanted.flatMap(({ name, part }) => {
    const own = questions.filter((one) => one.name === name && one.part === part);
    const has =
      own.some(({ end }) => end === undefined) && own.some(({ end }) => end !== undefined);
    return has || !answers(venue, name, part) ? [] : [`${name} of ${part}`];
  });
}

/** Whether a venue answers a question about a market of a part. */
const answers = (venue: Venue, name: string, part: string): boolean =>
  [...contextOf(venue, part).instruments.values()]
    .filter(({ kind }) => kind !== 'other')
    .some(({ market }) => {
      const question = { name, part, market, interval: '1h', limit: 1 } as const;
      return requestsOf(venue, question).length > 0;
    });

export function requests(t: Test, venue: Venue): void {
  const file = new URL(`../../../fixtures/${venue.id}/requests.txt`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trimEnd().replaceAll(/\n +/g, ' ').split('\n');
  const table = lines
    .filter((text) => !text.startsWith('#'))
    .map((text) => {
      const at = text.indexOf(': ');
      return { question: text.slice(0, at), wanted: text.slice(at + 2) };
    });
  const isOf = (word: string) => table.filter(({ question }) => question.startsWith(word));
  const [streams, polls, words] = [isOf('stream '), isOf('poll '), isOf('intervals')];
  const wantedPolls = polls.map(({ question, wanted }) => [question, wanted.split(' & ')]);
  t.strictSame(pollsOf(venue), Object.fromEntries(wantedPolls), 'what its polls ask');
  const intervals = Object.entries(venue.queries.candles?.intervals ?? {});
  t.equal(
    intervals.map(([our, word]) => (our === word ? our : `${our}=${word}`)).join(' '),
    words.map(({ wanted }) => wanted).join(),
    'intervals of candles',
  );
  for (const { question, wanted } of streams)
    t.strictSame(framesOf(venue, question), wanted.split(' & '), question);
  const asked = table.filter((one) => ![...streams, ...polls, ...words].includes(one));
  for (const { question, wanted } of asked) {
    const found = requestsOf(venue, questionOf(question)).map(written).map(sorted);
    t.strictSame(found, sent(wanted).split(' & ').map(sorted), question);
  }
  const missing = unasked(
    venue,
    asked.map(({ question }) => questionOf(question)),
  );
  t.strictSame(missing, [], 'every question has a line');
}
