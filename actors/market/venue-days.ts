/** Daily closes of a market of an exchange, through that exchange's own candle query. */
import { type DayClose, dayAt, dayLength, daysBetween } from '../../indicators/market/days.ts';
import { positive, required } from '../read.ts';
import { joined, type Poll, type PollPlan } from '../sources/define.ts';
import type { CandleQuery, MarketAsk } from '../sources/queries/forms.ts';
import type { Venue } from '../sources/venue.ts';

/** A venue that has daily candles. */
export type DayVenue = Pick<Venue, 'id' | 'parts'> & { queries: { candles: CandleQuery } };

/**
 * The closes of days that are over, from the exchange's spot market with this native id. The plan's `from` is needed:
 * the pages go back from `to` to it. Their order is the requests', newest page first.
 */
export function venueDays(venue: DayVenue, market: string): Poll<DayClose> {
  const { candles } = venue.queries;
  const interval = candles.intervals['1d'];
  if (interval === undefined) throw new Error(`${market}: the exchange has no daily candles`);
  const [part = ''] = venue.parts;
  // Prices and units of the exchange itself: the coins are not multiplied.
  const about = { kind: 'spot', symbol: market, quote: 'USD', scale: 1, contract: 1 } as const;
  const instrument = { ...about, market, inverse: false, funding_hours: null };
  const ask: MarketAsk = { market, part, instrument };
  return {
    requests: (plan) =>
      pages(plan, candles.page).map((page) =>
        candles.request({ ...ask, ...page, interval, now: plan.now }),
      ),
    parse(bodies, { received }) {
      const pagesRead = bodies.map((body) => ({
        rows: candles
          .parse(body, ask)
          .map((bar) => ({ day: required(bar.timestamp), close: positive(bar.close) }))
          .filter(({ day }) => day === dayAt(day) && day + dayLength <= received),
        dropped: [],
      }));
      const { rows, dropped } = joined(pagesRead);
      return { rows: rows.sort((a, b) => a.day - b.day), dropped };
    },
  };
}

/** Pages of at most `size` days that end before `before`, from the last day wanted back to the first. */
function pages({ now, from, to }: PollPlan, size: number): { before: number; limit: number }[] {
  const last = to ?? dayAt(now) - dayLength;
  const first = from ?? last;
  const found: { before: number; limit: number }[] = [];
  for (let end = last + dayLength; end > first; end -= size * dayLength) {
    found.push({ before: end, limit: Math.min(size, daysBetween(first, end)) });
  }
  return found;
}
