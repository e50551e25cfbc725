/**
 * Prices of KuCoin by stream: last price and best quotes of single markets; mark prices, funding and open interest. A channel of all markets exists on the older
 * connections alone, which want a token before each of them. https://www.kucoin.com/docs-new (Ticker)
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
import type { InstrumentMap } from '../../sources/define.ts';
import type { LatestStream, SharedStream, StreamContext } from '../../sources/streams/stream.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { memoryOf } from '../memory.ts';
import { by, changedRows, derivativeOf, marketRows, priceOf, type Reader } from '../rows.ts';
import { interests } from './rows.ts';
import { connection, type TradeType } from './stream.ts';

const perMessage = 50;
const unknown = required(null);

/** Without the numbers of 24 h. The time is that of the message, ns. */
const tickers = (stated: number | null): Reader<Instrument, PriceRow> => ({
  id: by('s'),
  read: (row, market) =>
    priceOf(market, {
      ...{ last: positive(row.l), volume: unknown, change: unknown, stated },
      ...{ bid: positive(row.b), ask: positive(row.a) },
    }),
});

/** The topic of a message, and its data; null for one without. ShapeError for a refusal and for anything that is not a message of KuCoin. */
function readMessage(message: unknown): { topic: string; data: unknown } | null {
  if (field(message, 'result') === false)
    throw new ShapeError(`KuCoin: ${text(asRow(message).msg)}`);
  const topic = text(field(message, 'T'));
  if (topic === '' && !('d' in asRow(message))) return null;
  return { topic, data: field(message, 'd') };
}

const subscription = (channel: string, tradeType: TradeType, more: object): string =>
  JSON.stringify({ id: '1', action: 'SUBSCRIBE', channel, tradeType, ...more });

const ticking = (tradeType: TradeType): LatestStream<PriceRow> => ({
  ...connection(tradeType),
  most: 100,
  channels: (instruments) =>
    pieces([...instruments.keys()], perMessage).map((symbols) =>
      subscription('ticker', tradeType, { symbols }),
    ),
  collect: 'latest',
  parse(message, { instruments }) {
    const found = readMessage(message);
    if (found === null) return null;
    const { topic, data } = found;
    if (!topic.startsWith('ticker.') || !isRecord(data)) throw new ShapeError('T: no ticker');
    return changedRows([data], instruments, tickers(time(field(message, 'P'), 1e-6)));
  },
});

/** The rates of a connection, by market. */
const newest = memoryOf(() => new Map<string, WireRow>());

/** Rates of all markets come in one message, once a minute. */
function keepRates(data: unknown, instruments: InstrumentMap, rates: Map<string, WireRow>): void {
  for (const row of bulk(Array.isArray(data) ? data : [data], 'rates').map(asRow))
    if (instruments.has(text(row.s))) rates.set(text(row.s), row);
}

/** The data of a message about a market; null for one with rates, which are kept: the next message about their markets has them. */
function markIn(
  message: unknown,
  { instruments, connection: by }: StreamContext,
): WireRow[] | null {
  const found = readMessage(message);
  if (found === null) return null;
  const { topic, data } = found;
  if (topic.startsWith('funding-fee')) {
    keepRates(data, instruments, newest(by));
    return null;
  }
  if (topic !== 'mark-price' || !isRecord(data)) throw new ShapeError('T: no mark price');
  return [data];
}

const hour = 3_600_000;

/** `fr` is the running rate of `gl` ms, charged at `nt`. */
const derivatives = (rates: ReadonlyMap<string, WireRow>): Reader<Instrument, DerivativeRow> => ({
  id: by('s'),
  read(row, market) {
    const { fr, gl, nt } = rates.get(market.market) ?? {};
    return derivativeOf(market, {
      ...{ mark: positive(row.mp), index: positive(row.ip), stated: time(row.ts) },
      ...{ rate: required(fr), hours: positive(gl) / hour, next: time(nt) },
    });
  },
});

/** `oi` counts contracts, as in the answers. */
const openInterest: Reader<Instrument, OpenInterestRow> = {
  id: by('s'),
  read(row, market) {
    const found = interests.read({ openInterest: row.oi, markPrice: row.mp }, market);
    return found && { ...found, stated: time(row.ts) };
  },
};

/** A connection has 600 topics at most, and the rates must be on that of the marks. */
const marks: LatestStream<DerivativeRow> = {
  ...connection('FUTURES'),
  most: 500,
  channels: (instruments) =>
    instruments.size === 0
      ? []
      : [
          subscription('funding-fee-all-symbols', 'FUTURES', {}),
          ...[...instruments.keys()].map((symbol) =>
            subscription('mark-price', 'FUTURES', { symbol }),
          ),
        ],
  collect: 'latest',
  parse(message, context) {
    const rows = markIn(message, context);
    const reader = derivatives(newest(context.connection));
    return rows && marketRows(rows, context.instruments, reader);
  },
};

export const live = {
  prices: { spot: ticking('SPOT'), futures: ticking('FUTURES') },
  derivatives: { futures: marks },
  openInterest: {
    futures: {
      messagesOf: 'derivatives',
      parse(message, context) {
        const rows = markIn(message, context);
        return rows && marketRows(rows, context.instruments, openInterest);
      },
    } satisfies SharedStream<OpenInterestRow>,
  },
};
