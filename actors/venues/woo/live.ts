/**
 * WOO X by stream: the tickers of all markets, sent about once a second, and mark prices, funding and open interest market by
 * market. https://docs.woox.io/#24h-tickers
 */
import { day, minute } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, text, time, type WireRow } from '../../read.ts';
import { neverTraded, pieces } from '../cells.ts';
import { markets } from '../markets.ts';
import { acknowledgedBy, objectIn } from '../streams.ts';
import { type PartName, perp, prefixes } from './rows.ts';

const eventOf = (message: unknown): string => (isRecord(message) ? text(message.event) : '');

/** Both parts stand in one list. `volume` is in base, `amount` in quote. */
const ticker = (part: PartName) =>
  markets({
    id: 'symbol',
    // A market that was never traded is left out, whether it is listed or not.
    keep: (row) =>
      text(row.symbol).startsWith(prefixes[part]) && !neverTraded(row.close, row.volume),
    price: {
      last: 'close',
      open: 'open',
      high: 'high',
      low: 'low',
      base: 'volume',
      quote: 'amount',
    },
  });

export const tickers = (part: PartName) =>
  ticker(part).live({
    url: 'wss://wss.woox.io/ws/stream',
    channels: () => ['{"id":"1","topic":"tickers","event":"subscribe"}'],
    reply: (message) =>
      eventOf(message) === 'ping'
        ? JSON.stringify({ event: 'pong', ts: time(field(message, 'ts')) })
        : null,
    acknowledges: acknowledgedBy({ event: 'subscribe', success: true }),
    silence: 30_000,
    read(message) {
      if (field(message, 'success') === false) throw new ShapeError('WOO X refuses the topic');
      if (eventOf(message) !== '') return null;
      return { rows: bulk(field(message, 'data'), 'tickers'), stated: time(field(message, 'ts')) };
    },
  });

/** Most topics of a request, and of a connection. */
const [perRequest, perConnection] = [10, 100];
/** The topics that a perpetual names; that of its index names the index. */
const ofPerpetual = ['markprice', 'estfundingrate', 'openinterest'];
const ofIndex = 'indexprice';
/** The perpetuals of a connection; their indices are asked for apart, as they might not be known. */
const perPiece = perConnection / (ofPerpetual.length + 1);
const threes = Math.floor(perRequest / ofPerpetual.length);

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

/** The fields of a topic by the names of `futures`. */
const fields: Readonly<Record<string, (data: WireRow) => WireRow>> = {
  markprice: ({ px, ts }) => ({ markPrice: px, timestamp: ts }),
  indexprice: ({ px }) => ({ indexPrice: px }),
  estfundingrate: ({ r, ft }) => ({ estFundingRate: r, nextFundingTime: ft }),
  openinterest: ({ oi }) => ({ openInterest: oi }),
};

/** The value of the open interest follows from the mark, which comes every second. */
const mark = { remember: ['markPrice'], lasts: minute };

/** Mark, index and rate come one by one; the open interest waits for a mark. */
export const channels = perp.live({
  url: 'wss://wss.woox.io/v3/public',
  most: 100,
  pace: 100,
  perConnection,
  lifetime: day,
  channels: (instruments) =>
    pieces([...instruments.keys()], perPiece).flatMap((ids) => [
      ...pieces(ids, threes).map((three) =>
        asking(three.flatMap((market) => ofPerpetual.map((topic) => `${topic}@${market}`))),
      ),
      ...pieces(ids, perRequest).map((ten) =>
        asking(ten.map((market) => `${ofIndex}@${indexOf(market)}`)),
      ),
    ]),
  keepAlive: { every: 30_000, message: '{"cmd":"PING","ts":0}' },
  acknowledges: (message) => grantedIn(message)?.length ?? 0,
  silence: 30_000,
  read(message) {
    if (grantedIn(message)?.length === 0) throw new ShapeError('WOO X refuses the topics');
    if (asRow(message).cmd !== undefined) return null;
    const [topic = ''] = text(field(message, 'topic')).split('@');
    const row = Object.hasOwn(fields, topic) ? fields[topic] : undefined;
    if (!row) throw new ShapeError('topic: unknown');
    const data = objectIn(message, 'data');
    const rows = [{ symbol: perpetualOf(text(data.s)), ...row(data) }];
    // A row of derivatives without a mark has no time: that of a rate may be a minute ago.
    if (topic !== 'openinterest')
      return { rows, topics: ['derivatives'], ...(topic === 'markprice' && mark) };
    const stated = time(data.ts);
    return { rows, stated, topics: ['openInterest'], ...mark, needs: 'markPrice' };
  },
});
