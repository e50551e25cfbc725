/** Oracle prices, funding and open interest of dYdX by stream: all markets, what has changed. https://docs.dydx.xyz/indexer-client/websockets#markets */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, text, type WireRow } from '../../read.ts';
import type { LatestStream, SharedStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { refused } from '../books.ts';
import { memoryOf, readOnce } from '../memory.ts';
import { changedRows, type Named, type Reader } from '../rows.ts';
import { derivative, interest, reader, tickers } from './rows.ts';

const channel = 'v4_markets';

/** The status of each market of a connection, and its last oracle price with its time. */
const known = memoryOf(() => new Map<string, WireRow>());

/**
 * What a message says of each market, without those that do not trade. Fields that are absent have not changed. The
 * oracle price is sent without the others; it stands in every row, because it values them.
 */
const changesIn = readOnce((message, { instruments, connection }): WireRow[] => {
  const { markets, trading, oraclePrices } = asRow(field(message, 'contents'));
  const parts = [markets, trading, oraclePrices].filter(isRecord);
  if (parts.length === 0) throw new ShapeError('contents: no markets');
  const before = known(connection);
  const changed = new Map<string, WireRow>();
  for (const [ticker, row] of parts.flatMap(Object.entries))
    if (instruments.has(ticker)) changed.set(ticker, { ...changed.get(ticker), ...asRow(row) });
  return [...changed].flatMap(([ticker, row]) => {
    const { status = 'ACTIVE', oraclePrice, effectiveAt } = { ...before.get(ticker), ...row };
    before.set(ticker, { status, oraclePrice, effectiveAt });
    return status === 'ACTIVE' ? [{ ...row, ticker, oraclePrice, effectiveAt }] : [];
  });
});

/** Rows in which `needs` is present. */
const reading =
  <Row>(
    readerAt: (received: number) => Reader<Named, Row>,
    needs: 'oraclePrice' | 'openInterest',
  ): LatestStream<Row>['parse'] =>
  (message, context) => {
    const type = text(field(message, 'type'));
    if (type === 'error') throw refused(field(message, 'message'));
    if (type === '') throw new ShapeError('type: no text');
    if (field(message, 'channel') !== channel) return null;
    const rows = changesIn(message, context).filter((row) => row[needs] !== undefined);
    return changedRows<Named, Row>(rows, context.instruments, readerAt(context.received));
  };

/** The messages of a connection are counted. The answer to the subscription has all markets. */
const perp: LatestStream<PriceRow> = {
  url: 'wss://indexer.dydx.trade/v4/ws',
  channels: () => [JSON.stringify({ type: 'subscribe', channel, batched: false })],
  numberIn: /"message_id":(\d{1,15})/,
  silence: 30_000,
  collect: 'latest',
  parse: reading(() => tickers, 'oraclePrice'),
};

const rates: SharedStream<DerivativeRow> = {
  messagesOf: 'prices',
  parse: reading((received) => reader(derivative(received)), 'oraclePrice'),
};

const interests: SharedStream<OpenInterestRow> = {
  messagesOf: 'prices',
  parse: reading(() => reader(interest), 'openInterest'),
};

export const live = {
  prices: { perp },
  derivatives: { perp: rates },
  openInterest: { perp: interests },
};
