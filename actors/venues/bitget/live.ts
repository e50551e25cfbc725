/** Prices, funding and open interest of Bitget by stream: the tickers of single markets. https://www.bitget.com/api-doc/uta/websocket/public/Tickers-Channel */
import { asRow, field, positive, required, text, time, type WireRow } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import { byPart } from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { readOnce } from '../memory.ts';
import {
  agreedChange,
  changedRows,
  derivativeOf,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import type { Futures, PartName } from './api.ts';
import { connection, idOf, rowsOf } from './stream.ts';

/** More than that closes the connection; Bitget advises against more than fifty channels on one. */
const perRequest = 10;
const requests = 5;

/**
 * The time is that of the message. The ids of coin-margined contracts end in `_CM`. `openPrice24h` of spot is not always the price of
 * 24 h ago: in a recorded message `price24hPcnt` does not follow from it.
 */
const tickers = (stated: number | null): Reader<Instrument, PriceRow> => ({
  id: idOf,
  isUntraded: neverTradedBy('lastPrice', 'volume24h'),
  read(row, market) {
    const last = positive(row.lastPrice);
    return priceOf(market, {
      ...{ last, volume: required(row.turnover24h), base: required(row.volume24h), stated },
      change: agreedChange(last, positive(row.openPrice24h), required(row.price24hPcnt) * 100),
      ...{ bid: positive(row.bid1Price), ask: positive(row.ask1Price) },
      ...{ high: positive(row.highPrice24h), low: positive(row.lowPrice24h) },
    });
  },
});

const derivatives = (stated: number | null): Reader<Instrument, DerivativeRow> => ({
  id: idOf,
  read: (row, market) =>
    derivativeOf(market, {
      ...{ mark: positive(row.markPrice), index: positive(row.indexPrice), stated },
      ...{ rate: required(row.fundingRate), hours: market.funding_hours ?? required(null) },
      next: time(row.nextFundingTime),
    }),
});

/** `openInterest` is base, as in the answers. */
const interests = (stated: number | null): Reader<Instrument, OpenInterestRow> => ({
  id: idOf,
  read: (row, market) =>
    openInterestOf(market, {
      ...{ base: required(row.openInterest), value: required(null), stated },
      mark: positive(row.markPrice) || positive(row.lastPrice),
    }),
});

/** A message is about one market, and whole: its rows, with the name of the market. */
const rowsIn = readOnce((message): WireRow[] | null => {
  const rows = rowsOf(message);
  if (rows === null) return null;
  const symbol = text(asRow(field(message, 'arg')).symbol);
  return rows.map((row) => ({ ...asRow(row), symbol }));
});

const reading =
  <Row>(readerAt: (stated: number | null) => Reader<Instrument, Row>): LatestStream<Row>['parse'] =>
  (message, context) => {
    const rows = rowsIn(message, context);
    if (rows === null) return null;
    return changedRows(rows, context.instruments, readerAt(time(field(message, 'ts'))));
  };

/** No channel has all markets. */
const ticking = (instType: PartName): LatestStream<PriceRow> => {
  const suffix = instType === 'coin-futures' ? '_CM' : '';
  return {
    ...connection,
    ...{ most: 100, perConnection: requests, pace: 1_000 },
    channels: (instruments) =>
      pieces([...instruments.keys()], perRequest).map((markets) => {
        const args = markets.map((market) => ({
          ...{ instType, topic: 'ticker' },
          symbol: `${market}${suffix}`,
        }));
        return JSON.stringify({ op: 'subscribe', args });
      }),
    collect: 'latest',
    parse: reading(tickers),
  };
};

const futures = <S>(stream: S): Record<Futures, S> =>
  byPart(() => stream, 'usdt-futures', 'usdc-futures', 'coin-futures');

export const live = {
  prices: byPart(ticking, 'spot', 'usdt-futures', 'usdc-futures', 'coin-futures'),
  derivatives: futures({ messagesOf: 'prices', parse: reading(derivatives) } as const),
  openInterest: futures({ messagesOf: 'prices', parse: reading(interests) } as const),
};
