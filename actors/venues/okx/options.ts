/** OKX: open interest of options. https://www.okx.com/docs-v5/en/#public-data-rest-api-get-open-interest */

import type { OptionInterest } from '../../../indicators/market/rows.ts';
import { bulk, field, positive, required, text } from '../../read.ts';
import { type Poll, readRows } from '../../sources/poll.ts';
import { type Ask, get } from './api.ts';

const families = ['BTC-USD', 'ETH-USD'];

/**
 * `oiCcy` counts the asset; it is valued at the index price, whose list is asked in the same poll. `oiUsd` is not
 * used: the vendor's own sample repeats `oiCcy` in it.
 */
export const options: Poll<OptionInterest, Ask> = {
  requests: () => [
    get('/market/index-tickers', 'indices', { quoteCcy: 'USD' }),
    ...families.map((instFamily) =>
      get('/public/open-interest', 'interest', { instType: 'OPTION', instFamily }),
    ),
  ],
  parse([indices, ...bodies]) {
    const prices = new Map<string, number>();
    for (const row of bulk(field(indices, 'data'), 'indices')) {
      prices.set(text(field(row, 'instId')), positive(field(row, 'idxPx')));
    }
    return readRows(
      bodies.flatMap((body) => bulk(field(body, 'data'), 'options')),
      (row) => text(row.instId),
      (row) => {
        const instrument = text(row.instId);
        const [asset = '', quote = ''] = instrument.split('-', 2);
        const amount = required(row.oiCcy);
        const value = amount * (prices.get(`${asset}-${quote}`) ?? NaN);
        if (!(amount >= 0) || !(value >= 0)) return null;
        return { instrument, asset, open_interest: amount, open_interest_usd: value };
      },
    );
  },
};
