/** OKX: open interest of options. https://www.okx.com/docs-v5/en/#public-data-rest-api-get-open-interest */
import { positive, required, text } from '../../read.ts';
import { bulk, field } from '../../venues/rows.ts';
import type { Parsed } from '../../venues/venue.ts';
import { type Figure, readRows } from '../upstream.ts';
import type { OptionInterest } from './deribit.ts';

const families = ['BTC-USD', 'ETH-USD'];

/**
 * `oiCcy` counts the asset; it is valued at the index price, whose list is asked in the same poll. `oiUsd` is not
 * used: the vendor's own sample repeats `oiCcy` in it.
 */
export const okxOptions: Figure<OptionInterest> = {
  requests: () => [
    {
      api: 'rest',
      path: '/api/v5/market/index-tickers',
      budget: 'indices',
      query: { quoteCcy: 'USD' },
    },
    ...families.map((instFamily) => ({
      api: 'rest',
      path: '/api/v5/public/open-interest',
      budget: 'interest',
      query: { instType: 'OPTION', instFamily },
    })),
  ],
  parse([indices, ...bodies]): Parsed<OptionInterest> {
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
        const value = amount * (prices.get(`${asset}-${quote}`) ?? Number.NaN);
        if (!(amount >= 0) || !(value >= 0)) return null;
        return { instrument, asset, open_interest: amount, open_interest_usd: value };
      },
    );
  },
};
