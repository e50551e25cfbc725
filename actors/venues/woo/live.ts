/**
 * Prices of WOO X by stream: the tickers of all markets, sent about once a second. The newer v3 has them market by market
 * only; of that are mark prices, funding and open interest. https://docs.woox.io/#24h-tickers
 */
import { ShapeError } from '../../failure.ts';
import {
  asRow,
  bulk,
  field,
  isRecord,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { LatestStream, SharedStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { memoryOf, readOnce } from '../memory.ts';
import { by, changedRows, changeOf, priceOf, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import { derivative, interest, type PartName, prefixes } from './rows.ts';

/** `volume` is in base, `amount` in quote. The time is that of the message. */
const tickers = (stated: number | null): Reader<Instrument, PriceRow> => ({
  id: by('symbol'),
  isUntraded: neverTradedBy('close', 'volume'),
  read(row, market) {
    const last = positive(row.close);
    const change = changeOf(last, positive(row.open));
    return priceOf(market, {
      ...{ last, volume: required(row.amount), base: required(row.volume), change, stated },
      ...{ high: positive(row.high), low: positive(row.low) },
    });
  },
});

const eventOf = (message: unknown): string => (isRecord(message) ? text(message.event) : '');

/** Both parts stand in one list. */
const ticking = (part: PartName): LatestStream<PriceRow> => ({
  url: 'wss://wss.woox.io/ws/stream',
  channels: () => ['{"id":"1","topic":"tickers","event":"subscribe"}'],
  reply: (message) =>
    eventOf(message) === 'ping'
      ? JSON.stringify({ event: 'pong', ts: time(field(message, 'ts')) })
      : null,
  acknowledges: (message) =>
    isRecord(message) && message.event === 'subscribe' && message.success === true ? 1 : 0,
  silence: 30_000,
  collect: 'latest',
  parse(message, { instruments }) {
    if (field(message, 'success') === false) throw new ShapeError('WOO X refuses the topic');
    if (eventOf(message) !== '') return null;
    const own = bulk(field(message, 'data'), 'tickers').filter((row) =>
      text(asRow(row).symbol).startsWith(prefixes[part]),
    );
    return changedRows(own, instruments, tickers(time(field(message, 'ts'))));
  },
});

/** Most topics of a request, and of a connection. */
const [perRequest, perConnection] = [10, 100];
/** The topics that a perpetual names; that of its index names the index. */
const ofPerpetual = ['markprice', 'estfundingrate', 'openinterest'];
const ofIndex = 'indexprice';
/** The perpetuals of a connection, and their requests: those of the indices apart, which might not be known. */
const perPiece = perConnection / (ofPerpetual.length + 1);
const threes = Math.floor(perRequest / ofPerpetual.length);
const requests = Math.ceil(perPiece / threes) + Math.ceil(perPiece / perRequest);

/** An index has the name of the spot pair, whether that is traded or not. */
const indexOf = (market: string): string => market.replace(prefixes.perp, prefixes.spot);
const perpetualOf = (name: string): string => name.replace(prefixes.spot, prefixes.perp);

const asking = (params: readonly string[]): string =>
  JSON.stringify({ id: '1', cmd: 'SUBSCRIBE', params });

/** The topics of a message that acknowledges subscriptions; null for any other. None are a refusal. */
function grantedIn(message: unknown): readonly unknown[] | null {
  const { cmd, data } = asRow(message);
  return cmd === 'SUBSCRIBE' ? (Array.isArray(data) ? data : []) : null;
}

/** The mark prices of a connection with their times, by market. */
const marks = memoryOf(() => new Map<string, WireRow>());

/** What a message says of a perpetual, by the names of the answers; null for a message without data. */
const readMessage = readOnce((message, { instruments, connection }) => {
  if (grantedIn(message)?.length === 0) throw new ShapeError('WOO X refuses the topics');
  const { cmd } = asRow(message);
  if (cmd !== undefined) return null;
  const [topic = ''] = text(field(message, 'topic')).split('@');
  if (topic !== ofIndex && !ofPerpetual.includes(topic)) throw new ShapeError('topic: unknown');
  const data = field(message, 'data');
  if (!isRecord(data)) throw new ShapeError('data: no object');
  const symbol = perpetualOf(text(data.s));
  const known = marks(connection);
  const isMark = topic === 'markprice';
  if (isMark && instruments.has(symbol)) known.set(symbol, { markPrice: data.px, ts: data.ts });
  const { markPrice, ts } = known.get(symbol) ?? {};
  const values: Readonly<Record<string, WireRow>> = {
    markprice: { markPrice: data.px },
    indexprice: { indexPrice: data.px },
    estfundingrate: { estFundingRate: data.r, nextFundingTime: data.ft },
    openinterest: { openInterest: data.oi, markPrice },
  };
  const row: WireRow = { symbol, ...values[topic] };
  return { topic, row, marked: time(ts), stated: time(data.ts) };
});

/** The time of a row is that of the mark price: a rate comes every minute, and is not older than the mark before it. */
const rates: LatestStream<DerivativeRow> = {
  url: 'wss://wss.woox.io/v3/public',
  ...{ most: 100, pace: 100, perConnection: requests, lifetime: 86_400_000 },
  channels: (instruments) =>
    pieces([...instruments.keys()], perPiece).flatMap((markets) => [
      ...pieces(markets, threes).map((three) =>
        asking(three.flatMap((market) => ofPerpetual.map((topic) => `${topic}@${market}`))),
      ),
      ...pieces(markets, perRequest).map((ten) =>
        asking(ten.map((market) => `${ofIndex}@${indexOf(market)}`)),
      ),
    ]),
  keepAlive: { every: 30_000, message: '{"cmd":"PING","ts":0}' },
  acknowledges: (message) => grantedIn(message)?.length ?? 0,
  silence: 30_000,
  collect: 'latest',
  parse(message, context) {
    const found = readMessage(message, context);
    if (found === null || found.topic === 'openinterest') return null;
    return changedRows([found.row], context.instruments, {
      id: by('symbol'),
      read: (row, market) => derivative(row, market, found.marked),
    });
  },
};

/** The value follows from the mark price: without one it waits. */
const interests: SharedStream<OpenInterestRow> = {
  messagesOf: 'derivatives',
  parse(message, context) {
    const found = readMessage(message, context);
    if (found?.topic !== 'openinterest' || found.row.markPrice === undefined) return null;
    return changedRows([found.row], context.instruments, {
      id: by('symbol'),
      read: (row, market) => interest(row, market, found.stated),
    });
  },
};

export const live = {
  prices: { spot: ticking('spot'), perp: ticking('perp') },
  derivatives: { perp: rates },
  openInterest: { perp: interests },
};
