/**
 * Prices and open interest of Crypto.com by stream, the tickers of single markets as they change, and mark prices, index prices
 * and funding of perpetuals. https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html#ticker-instrument_name
 */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, text, type WireRow } from '../../read.ts';
import type { InstrumentMap } from '../../sources/define.ts';
import type { LatestStream, SharedStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { memoryOf, readOnce } from '../memory.ts';
import { changedRows, followedOf, type Named } from '../rows.ts';
import { indexOf, interest, ofPerpetuals, perpetualOf, rates, tickers } from './rows.ts';
import { connection, resultOf } from './stream.ts';

/** The name that `rates` has for the value of each channel; tickers are read by themselves. */
const fieldNames: Readonly<Record<string, string>> = {
  mark: 'mark',
  index: 'index',
  funding: 'rate',
};

/** The rows of a message, and the channel that brought them; null for a message without a result. */
const rowsIn = readOnce((message): { channel: string; market: string; rows: WireRow[] } | null => {
  const result = resultOf(message);
  if (result === null) return null;
  const channel = text(result.channel);
  if (channel !== 'ticker' && !Object.hasOwn(fieldNames, channel))
    throw new ShapeError('channel: unknown');
  const market = perpetualOf(text(result.instrument_name));
  return { channel, market, rows: bulk(result.data, channel).map(asRow) };
});

/** The tickers come before what else is subscribed to; each subscription is acknowledged, or refused, by itself. */
function channelsOf(instruments: InstrumentMap): string[] {
  const markets = [...instruments.keys()];
  const perpetuals = followedOf(instruments).filter(
    (market) => instruments.get(market)?.kind === 'perpetual',
  );
  return [
    ...markets.map((market) => `ticker.${market}`),
    ...perpetuals.flatMap((market) => [
      `mark.${market}`,
      `index.${indexOf(market)}`,
      `funding.${market}`,
    ]),
  ];
}

/** No channel has all markets. */
const all: LatestStream<PriceRow> = {
  ...connection,
  most: 100,
  channels: (instruments) =>
    channelsOf(instruments).map((channel, at) =>
      JSON.stringify({ id: at + 1, method: 'subscribe', params: { channels: [channel] } }),
    ),
  collect: 'latest',
  parse(message, context) {
    const found = rowsIn(message, context);
    return found?.channel === 'ticker'
      ? changedRows(found.rows, context.instruments, tickers)
      : null;
  },
};

/** The times of the last mark prices of a connection, by market. */
const marked = memoryOf(() => new Map<string, unknown>());

/**
 * A message has one of the values. Marks and indices come every second, rates every minute: the time of a row is that of the
 * mark price, so that a rate is not taken for older than the mark before it.
 */
const valuations: SharedStream<DerivativeRow> = {
  messagesOf: 'prices',
  parse(message, context) {
    const { instruments, received, connection: by } = context;
    const found = rowsIn(message, context);
    const name = found && fieldNames[found.channel];
    if (!name) return null;
    const { market, channel } = found;
    const times = marked(by);
    const rows = found.rows.map(({ v, t }) => {
      if (channel === 'mark' && instruments.has(market)) times.set(market, t);
      return { market, [name]: v, t: times.get(market) };
    });
    return changedRows<Named, DerivativeRow>(rows, instruments, rates(received));
  },
};

const interests: SharedStream<OpenInterestRow> = {
  messagesOf: 'prices',
  parse(message, context) {
    const { instruments } = context;
    const found = rowsIn(message, context);
    if (found?.channel !== 'ticker') return null;
    const rows = ofPerpetuals(found.rows, instruments);
    return changedRows<Named, OpenInterestRow>(rows, instruments, interest);
  },
};

export const live = {
  prices: { all },
  derivatives: { all: valuations },
  openInterest: { all: interests },
};
