/**
 * Prices and mark prices of BingX by stream: the tickers of single markets, every second.
 * https://bingx-api.github.io/docs-v3/#/en/Swap/Websocket%20Market%20Data/Subscribe%20to%2024-hour%20price%20changes
 */

import { positive, required, time } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import { byPart } from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, PriceRow } from '../../topics/index.ts';
import {
  by,
  changedRows,
  changeOf,
  derivativeOf,
  marketRows,
  priceOf,
  type Reader,
} from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import type { PartName } from './api.ts';
import { connection, dataIn, said } from './stream.ts';

const unknown = required(null);

/** `v` is in base and `q` in quote; of inverse contracts `v` counts contracts, `m` is in base and `q` in dollars. */
const tickers: Reader<Instrument, PriceRow> = {
  id: by('s'),
  isUntraded: neverTradedBy('c', 'v'),
  read(row, market) {
    const last = positive(row.c);
    return priceOf(market, {
      ...{ last, change: changeOf(last, positive(row.o)), stated: time(row.E) },
      ...{ base: required(market.inverse ? row.m : row.v), volume: required(row.q) },
      ...{ bid: positive(row.B), ask: positive(row.A) },
      ...{ high: positive(row.h), low: positive(row.l) },
    });
  },
};

/** No channel of all markets is documented. */
const ticking = (part: PartName): LatestStream<PriceRow> => ({
  ...connection(part),
  most: 100,
  channels: (instruments) => [...instruments.keys()].map((market) => said('sub', market, 'ticker')),
  collect: 'latest',
  parse(message, { instruments }) {
    const data = dataIn(message);
    return data && changedRows([data], instruments, tickers);
  },
});

/** The mark price alone. That inverse contracts have the channel is not documented. */
const marks: LatestStream<DerivativeRow> = {
  ...connection('linear'),
  most: 100,
  channels: (instruments) =>
    [...instruments.keys()].map((market) => said('sub', market, 'markPrice')),
  collect: 'latest',
  parse(message, { instruments }) {
    const data = dataIn(message);
    return (
      data &&
      marketRows([data], instruments, {
        id: by('s'),
        read: (row, market) =>
          derivativeOf(market, {
            ...{ mark: positive(row.p), index: unknown, rate: unknown, hours: unknown },
            ...{ next: null, stated: time(row.E) },
          }),
      })
    );
  },
};

export const live = {
  prices: byPart(ticking, 'spot', 'linear', 'inverse'),
  derivatives: { linear: marks },
};
