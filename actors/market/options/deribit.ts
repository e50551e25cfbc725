/** Deribit: open interest of options. https://docs.deribit.com/#public-get_book_summary_by_currency */
import { ShapeError } from '../../failure.ts';
import { positive, required, text } from '../../read.ts';
import { bulk, field } from '../../venues/rows.ts';
import type { Parsed } from '../../venues/venue.ts';
import { type Figure, readRows } from '../upstream.ts';

/** Open interest of one option, one side. */
export interface OptionInterest {
  instrument: string;
  /** Upper case. */
  asset: string;
  /** In the asset. */
  open_interest: number;
  open_interest_usd: number;
}

/** Options settled in the coin itself, then those settled in USDC, which all share one list. */
const lists = ['BTC', 'ETH', 'USDC'];

/** `open_interest` counts the asset; `underlying_price` is the forward of the option's expiry, US dollars. */
export const deribitOptions: Figure<OptionInterest> = {
  requests: () =>
    lists.map((currency) => ({
      api: 'rest',
      path: '/api/v2/public/get_book_summary_by_currency',
      query: { currency, kind: 'option' },
    })),
  parse: (bodies): Parsed<OptionInterest> =>
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

/** Sums by asset, US dollars. ShapeError when nothing is open at all, which no venue of options ever was. */
export function interestByAsset(rows: readonly OptionInterest[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { asset, open_interest_usd: value } of rows) {
    sums.set(asset, (sums.get(asset) ?? 0) + value);
  }
  if ([...sums.values()].every((sum) => sum === 0)) throw new ShapeError('options: none is open');
  return sums;
}
