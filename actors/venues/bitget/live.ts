/** Prices of Bitget by stream: the tickers of single markets. https://www.bitget.com/api-doc/uta/websocket/public/Tickers-Channel */
import { asRow, field, positive, required, text, time } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { changedRows, changeOf, priceOf, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import type { PartName } from './api.ts';
import { connection, idOf, rowsOf } from './stream.ts';

/** More than that closes the connection; Bitget advises against more than fifty channels on one. */
const perRequest = 10;
const requests = 5;

/** The time is that of the message. The ids of coin-margined contracts end in `_CM`. */
const tickers = (stated: number | null): Reader<Instrument, PriceRow> => ({
  id: idOf,
  isUntraded: neverTradedBy('lastPrice', 'volume24h'),
  read(row, market) {
    const last = positive(row.lastPrice);
    return priceOf(market, {
      ...{ last, volume: required(row.turnover24h), base: required(row.volume24h), stated },
      change: changeOf(last, positive(row.openPrice24h), required(row.price24hPcnt) * 100),
      ...{ bid: positive(row.bid1Price), ask: positive(row.ask1Price) },
      ...{ high: positive(row.highPrice24h), low: positive(row.lowPrice24h) },
    });
  },
});

/** No channel has all markets. A message is about one of them, and whole. */
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
    channelIn: /"action":"\w+".*?"symbol":"([^"]+)"/,
    collect: 'latest',
    parse(message, { instruments }) {
      const rows = rowsOf(message);
      if (rows === null) return null;
      const symbol = text(asRow(field(message, 'arg')).symbol);
      const named = rows.map((row) => ({ ...asRow(row), symbol }));
      return changedRows(named, instruments, tickers(time(field(message, 'ts'))));
    },
  };
};

export const livePrices = {
  spot: ticking('spot'),
  'usdt-futures': ticking('usdt-futures'),
  'usdc-futures': ticking('usdc-futures'),
  'coin-futures': ticking('coin-futures'),
};
