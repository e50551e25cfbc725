/**
 * Prices of KuCoin by stream: last price and best quotes of single markets. A channel of all markets exists on the older
 * connections alone, which want a token before each of them. https://www.kucoin.com/docs-new (Ticker)
 */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, positive, required, text, time } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { by, changedRows, priceOf, type Reader } from '../rows.ts';
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

const ticking = (tradeType: TradeType): LatestStream<PriceRow> => ({
  ...connection(tradeType),
  most: 100,
  channels: (instruments) =>
    pieces([...instruments.keys()], perMessage).map((symbols) =>
      JSON.stringify({ id: '1', action: 'SUBSCRIBE', channel: 'ticker', tradeType, symbols }),
    ),
  channelIn: /"T":"ticker\..*?"s":"([^"]+)"/,
  collect: 'latest',
  parse(message, { instruments }) {
    if (field(message, 'result') === false)
      throw new ShapeError(`KuCoin: ${text(asRow(message).msg)}`);
    const topic = text(field(message, 'T'));
    if (topic === '' && !('d' in asRow(message))) return null;
    const data = field(message, 'd');
    if (!topic.startsWith('ticker.') || !isRecord(data)) throw new ShapeError('T: no ticker');
    return changedRows([data], instruments, tickers(time(field(message, 'P'), 1e-6)));
  },
});

export const livePrices = { spot: ticking('SPOT'), futures: ticking('FUTURES') };
