/** Gate: the unified account's past loan rates. https://www.gate.com/docs/developers/apiv4/en/#get-historical-lending-rates */
import { type BorrowRow, borrowAssets, borrowOf } from '../../../indicators/market/rows.ts';
import { field, list, required, text, time } from '../../read.ts';
import { joined, type Parsed, type Poll, readRows } from '../../sources/define.ts';
import type { Ask } from './api.ts';

/** A rate of one hour of the past. */
type Hour = BorrowRow & { stated: number };

/** The newest hour of each asset. */
function newestOf(hours: readonly Hour[]): Hour[] {
  const newest = new Map<string, Hour>();
  for (const hour of hours) {
    const known = newest.get(hour.asset);
    if (!known || known.stated < hour.stated) newest.set(hour.asset, hour);
  }
  return [...newest.values()];
}

/** Rates of whole hours as a fraction of the hour, of one asset. The limit is not stated. */
function hoursOf(body: unknown, received: number): Parsed<Hour> {
  const asset = text(field(body, 'currency'));
  return readRows(
    list(field(body, 'rates'), 'rates'),
    () => asset,
    (row) => {
      const stated = time(row.time, 1, received);
      const rate = required(row.rate);
      const found = borrowOf({ asset, hourly_rate: rate, borrow_limit: null, stated });
      return found && stated !== null ? { ...found, stated } : null;
    },
  );
}

/** The last hundred hours of each of the plan's assets, of which the newest counts. An asset that is not lent has none. */
export const loans: Poll<BorrowRow, Ask> = {
  requests: ({ items = borrowAssets }) =>
    items.map((currency) => ({
      api: 'spot',
      path: '/api/v4/unified/history_loan_rate',
      query: { currency, limit: 100 },
      market: currency,
    })),
  parse(bodies, { received }) {
    const answers = bodies.filter((body) => body !== undefined);
    const { rows, dropped } = joined(answers.map((body) => hoursOf(body, received)));
    return { rows: newestOf(rows), dropped };
  },
};
