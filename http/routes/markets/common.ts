/** What the rows of the tables of markets share. */
import * as s from '../../../actors/topics/schema.ts';
import { ratioOf } from '../../../indicators/market/assets.ts';
import { symbolOrAll } from '../analytics/common.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';

/** What the rows take of the context. */
export interface MarketsContext extends Pick<RoutesContext, 'tables'> {
  registry: readonly Pick<RoutesContext['registry'][number], 'id' | 'kinds'>[];
}

const idsOf = ({ registry }: MarketsContext, kind: string): string[] =>
  registry.filter(({ kinds }) => kinds.includes(kind)).map(({ id }) => id);

/** An exchange that has spot markets, or perpetuals; all of them when absent. */
export const exchangeOf = (context: MarketsContext, kind: 'spot' | 'perpetual') => ({
  ...params.exchange(idsOf(context, kind)),
  description: 'Exchange id. All exchanges when absent.',
});

/** The filters of a table, and its length. */
export const filters = (context: MarketsContext, kind: 'spot' | 'perpetual') => ({
  symbol: symbolOrAll,
  exchange: exchangeOf(context, kind),
  limit: params.limit(50, 500, 'Most rows.'),
});

export const symbol = s.string('Base asset.');
export const exchange = s.string('Exchange id.');
export const quote = s.string('Quote asset.');
export const priceUsd = s.number(
  'US dollars: mean over the markets by their turnover, without those more than 5 % from the median.',
);
export const changePercent = s.numberOrNull(
  'Change of the price in 24 hours, percent; null where it is not stated.',
);
export const changeHour = s.numberOrNull(
  'Change of the price in one hour, percent; null until recorded series span it.',
);
export const updated_at = s.unixMs('When the newest of its numbers was received, Unix ms.');

/** A list with the number of its rows. */
export const listOf = <P extends s.TProperties, M extends s.TProperties>(
  item: s.TObject<P>,
  more: M,
) => s.object({ ...more, count: s.integer('Rows.'), items: s.list(item) });

/** The first rows of all. */
export const firstOf = <T, I>(
  all: readonly T[],
  limit: number,
  itemOf: (one: T, i: number) => I,
) => {
  const items = all.slice(0, limit).map(itemOf);
  return { count: items.length, items };
};

/** Ask less bid in percent of the mid price; null where one of the two is not known. */
export const spreadOf = (bid: number | null, ask: number | null): number | null => {
  const part = ratioOf(
    bid === null || ask === null ? null : ask - bid,
    ((bid ?? 0) + (ask ?? 0)) / 2,
  );
  return part === null ? null : part * 100;
};

/** What recorded series state of an asset. */
interface RecordedChanges {
  price_change_1h_percent: number | null;
  open_interest_change_1h_percent: number | null;
  open_interest_change_24h_percent: number | null;
}

/** The changes that recorded series state of the spot markets or the perpetuals of an asset: none are read yet. */
export const recordedChanges = (_kind: 'spot' | 'perpetual', _symbol: string): RecordedChanges => ({
  price_change_1h_percent: null,
  open_interest_change_1h_percent: null,
  open_interest_change_24h_percent: null,
});
