/** Deribit: open interest of options. https://docs.deribit.com/#public-get_book_summary_by_currency */
import type { OptionInterest } from '../../../indicators/market/rows.ts';
import { bulk, field, positive, required, text } from '../../read.ts';
import { type Poll, readRows } from '../../sources/poll.ts';
import { type Ask, get } from './api.ts';

/** Options settled in the coin itself, then those settled in USDC, which all share one list. */
const lists = ['BTC', 'ETH', 'USDC'];

/** `open_interest` counts the asset; `underlying_price` is the forward of the option's expiry, US dollars. */
export const options: Poll<OptionInterest, Ask> = {
  requests: () =>
    lists.map((currency) => get('get_book_summary_by_currency', { currency, kind: 'option' })),
  parse: (bodies) =>
    readRows(
      bodies.flatMap((body) => bulk(field(body, 'result'), 'options')),
      (row) => text(row.instrument_name),
      (row) => {
        const instrument = text(row.instrument_name);
        // `BTC-28JUN24-42000-C`, and `BTC_USDC-28JUN24-42000-C`.
        const asset = instrument.split(/[-_]/, 1)[0] ?? '';
        const amount = required(row.open_interest);
        const value = amount * positive(row.underlying_price);
        if (asset === '' || !(amount >= 0) || !(value >= 0)) return null;
        return { instrument, asset, open_interest: amount, open_interest_usd: value };
      },
    ),
};
