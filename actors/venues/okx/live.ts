/** Prices, funding and open interest of OKX by stream: channels of single markets. https://www.okx.com/docs-v5/en/#order-book-trading-market-data-ws-tickers-channel */
import { ShapeError } from '../../failure.ts';
import { asRow, field, text, type WireRow } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { memoryOf, readOnce } from '../memory.ts';
import { changedRows, marketRows } from '../rows.ts';
import { derivative, interest, tickers } from './rows.ts';
import { connection, rowsOf } from './stream.ts';

/** A connection may send 480 requests an hour, each of 64 KB. */
const perRequest = 50;

const subscription = (channel: string, ids: readonly string[]): object[] =>
  ids.map((instId) => ({ channel, instId }));
const request = (args: readonly object[]): string => JSON.stringify({ op: 'subscribe', args });

/** The channels of a contract. `index-tickers` has the id of the index, and is requested separately. */
const ofContracts = ['tickers', 'mark-price', 'funding-rate', 'open-interest'];
const ofIndex = 'index-tickers';
const channels: ReadonlySet<string> = new Set([...ofContracts, ofIndex]);
/** The contracts whose channels share a request, and how many requests a connection sends: 300 channels. */
const [perPiece, requests] = [12, 10];

/** An index has the id of its spot pair. */
const indexOf = (market: string): string => market.replace('-SWAP', '');

/** The newest marks, rates and indices of a connection, by their ids. */
const newest = memoryOf(() => ({
  'mark-price': new Map<string, WireRow>(),
  'funding-rate': new Map<string, WireRow>(),
  [ofIndex]: new Map<string, WireRow>(),
}));

type Newest = ReturnType<typeof newest>;

const isKept = (channel: string, known: Newest): channel is keyof Newest =>
  Object.hasOwn(known, channel);

/** The channel of a message, its rows by market, and what is known; null for a message without data. ShapeError for anything that is not a message of OKX. */
const readMessage = readOnce((message, { instruments, connection: by }) => {
  const found = rowsOf(message);
  if (found === null) return null;
  const channel = text(field(field(message, 'arg'), 'channel'));
  if (!channels.has(channel)) throw new ShapeError('channel: unknown');
  const known = newest(by);
  const suffix = channel === ofIndex ? '-SWAP' : '';
  const rows = found.map(asRow).map((row) => ({ market: `${text(row.instId)}${suffix}`, row }));
  if (isKept(channel, known))
    for (const { market, row } of rows)
      if (instruments.has(market)) known[channel].set(text(row.instId), row);
  return { channel, rows, known };
});

const prices: LatestStream<PriceRow>['parse'] = (message, context) => {
  const found = readMessage(message, context);
  if (found?.channel !== 'tickers') return null;
  const rows = found.rows.map(({ row }) => row);
  return changedRows(rows, context.instruments, tickers);
};

/** A row of mark, index and rate needs a mark: the time is that of the mark. */
const derivatives: LatestStream<DerivativeRow>['parse'] = (message, context) => {
  const found = readMessage(message, context);
  if (found === null || !isKept(found.channel, found.known)) return null;
  const { channel, known } = found;
  const rows = found.rows.flatMap(({ market, row }) =>
    channel === 'mark-price' ? row : (known['mark-price'].get(market) ?? []),
  );
  const reader = derivative(known['funding-rate'], known[ofIndex]);
  return marketRows(rows, context.instruments, reader);
};

/** The value follows from the mark, as that of the answers does: without one it waits. */
const openInterest: LatestStream<OpenInterestRow>['parse'] = (message, context) => {
  const found = readMessage(message, context);
  if (found?.channel !== 'open-interest') return null;
  const marks = found.known['mark-price'];
  const rows = found.rows.flatMap(({ market, row }) => (marks.has(market) ? row : []));
  return marketRows(rows, context.instruments, interest(marks));
};

/** No channel has all markets. */
const ticking: LatestStream<PriceRow> = {
  ...connection,
  ...{ most: 100, pace: 100 },
  channels: (instruments) =>
    pieces([...instruments.keys()], perRequest).map((ids) => request(subscription('tickers', ids))),
  collect: 'latest',
  parse: prices,
};

/** An index that OKX does not know must not take other channels of its request with it. */
const contracts: LatestStream<PriceRow> = {
  ...ticking,
  perConnection: requests,
  channels: (instruments) =>
    pieces([...instruments.keys()], perPiece).flatMap((ids) => [
      request(ofContracts.flatMap((channel) => subscription(channel, ids))),
      request(subscription(ofIndex, ids.map(indexOf))),
    ]),
};

export const live = {
  prices: { spot: ticking, swap: contracts },
  derivatives: { swap: { messagesOf: 'prices', parse: derivatives } as const },
  openInterest: { swap: { messagesOf: 'prices', parse: openInterest } as const },
};
