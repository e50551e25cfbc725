/**
 * Bitfinex: the market in which margin is funded. https://docs.bitfinex.com/reference/rest-public-tickers
 */
import { type BorrowRow, borrowOf } from '../../../indicators/market/rows.ts';
import { bulk, required, text } from '../../read.ts';
import { type Poll, readRows } from '../../sources/poll.ts';
import { isWhole } from '../wire.ts';
import { type Ask, assetOf, fundingSymbol, get } from './api.ts';

const fundingAssets = ['USD', 'USDT', 'USDC', 'BTC', 'ETH', 'SOL', 'XRP'];

/** `[symbol, FRR, bid, period, size, ask, period, size, change, change relative, last, …]`: daily fractions. */
export const loans: Poll<BorrowRow, Ask> = {
  requests: ({ items = fundingAssets }) => [
    get('tickers', 'tickers', { symbols: items.map(fundingSymbol).join(',') }),
  ],
  parse: ([body]) =>
    readRows(
      bulk(body, 'funding tickers'),
      (row) => text(row[0]),
      (row) => {
        const symbol = isWhole(row, 17) ? text(row[0]) : '';
        return borrowOf({
          asset: symbol.startsWith('f') ? assetOf(symbol) : '',
          hourly_rate: required(row[10]) / 24,
          borrow_limit: null,
          stated: null,
        });
      },
    ),
};
