/** Assets by the change of their price over several windows, out of the recorded prices (specification 4.10). */
import { historySource, type RecordedAt } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import {
  amplitudePct,
  changeFields,
  changeTimes,
  priceChanges,
  type RankingWindow,
  rankingWindowNames,
} from '../../../indicators/derivatives/rankings.ts';
import type { DayChange } from '../../../indicators/market/day-change.ts';
import type { Route } from '../../endpoints/route.ts';
import { assetAmong } from '../../views/markets.ts';
import { apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import { queried } from '../factory/document.ts';
import * as params from '../params.ts';
import { changeCells } from './common.ts';

const prefix = 'perpetual/';
/** Minutes without a record that the one before stands for. */
const carry = 2;

const item = s.object({
  symbol: s.symbol,
  price: s.number('Mean of the perpetuals of all exchanges, US dollars.'),
  ...changeFields((window) =>
    s.numberOrNull(
      window === '24h'
        ? 'Change of the asset in 24 hours, percent: as in the tables of assets.'
        : `Change in ${window}, percent; null where the price then is not recorded.`,
    ),
  ),
  price_change_24h_basis: changeCells.price_change_24h_basis[0],
  price_amplitude_percent_24h: s.numberOrNull(
    'Highest less lowest price of 24 hours in percent of the lowest, of the prices at the ends of the hours and now.',
  ),
});
type Item = s.Static<typeof item>;
const answer = s.object({ count: s.count, items: s.list(item, 'The rows of the table.') });

/** The change of 24 hours as the tables of assets state it; the recorded one where they have none. */
function dayOf(recorded: number | null, stated: DayChange | null) {
  const { percent, basis } = stated ?? {
    percent: recorded,
    basis: recorded === null ? null : ('recorded' as const),
  };
  return { price_change_percent_24h: percent, price_change_24h_basis: basis };
}

/** The assets with a price now and what it was. `hours` are the prices at the ends of the 24 hours before. */
function itemsOf(
  minutes: RecordedAt,
  hours: RecordedAt | null,
  stated: (symbol: string) => DayChange | null,
): Item[] {
  const [now = [], ...then] = minutes.columns.price ?? [];
  const byHour = hours?.columns.price ?? [];
  const hourly = new Map(hours?.keys.map((key, i) => [key, byHour.map((row) => row[i] ?? null)]));
  return minutes.keys.flatMap((key, i): Item[] => {
    const price = now[i] ?? null;
    if (price === null) return [];
    const symbol = key.slice(prefix.length);
    const ends = hourly.get(key) ?? [];
    const changes = priceChanges(
      price,
      then.map((row) => row[i] ?? null),
      ends,
    );
    const day = dayOf(changes.price_change_percent_24h, stated(symbol));
    const price_amplitude_percent_24h = amplitudePct([...ends, price]);
    return [{ symbol, price, ...changes, ...day, price_amplitude_percent_24h }];
  });
}

/** The assets with a known change first, by it. */
const sorted = (items: readonly Item[], window: RankingWindow, order: 'desc' | 'asc') => {
  const of = (one: Item) => one[`price_change_percent_${window}`];
  const sign = order === 'desc' ? -1 : 1;
  const known = items.filter((one) => of(one) !== null);
  known.sort((a, b) => sign * ((of(a) ?? 0) - (of(b) ?? 0)));
  return [...known, ...items.filter((one) => of(one) === null)];
};

/** The rows of the asset that a client names; all of them where none is named. */
function chosen(items: readonly Item[], given: string | undefined) {
  if (given === undefined) return items;
  const name = assetAmong((symbol) => items.some((row) => row.symbol === symbol), given);
  const found = items.filter(({ symbol }) => symbol === name);
  return found.length > 0
    ? found
    : apiError('unknown_symbol', `no price of '${given}' is recorded`);
}

export const priceChangeRoute = ({
  clock,
  tables,
}: Pick<RoutesContext, 'clock' | 'tables'>): Route =>
  queried({
    group: 'Futures markets',
    path: '/v1/futures/coins-price-change',
    summary: 'Assets by the change of the price of their perpetuals, over seven windows',
    params: {
      symbol: params.symbolOrAll,
      limit: params.limit(50, 500, 'Most assets.'),
      sort: {
        type: 'string',
        default: '24h',
        enum: rankingWindowNames,
        description: 'The window to sort by; assets without that change are last.',
      },
      order: {
        type: 'string',
        default: 'desc',
        enum: ['desc', 'asc'],
        description: 'Largest or smallest change first.',
      },
    },
    answer,
    query({ symbol: given, limit, sort, order }) {
      const { minutes, hours } = changeTimes(clock.now());
      const source = historySource;
      return {
        source,
        name: 'seriesAt',
        params: { series: 'price', step: '1m', times: minutes, carry, prefix },
        also: [{ source, params: { series: 'price', step: '1h', times: hours, prefix } }],
        what: 'the changes of prices',
        data(now, [before]) {
          const items = itemsOf(now, before ?? null, (symbol) =>
            tables.read((all) => all.change(symbol)),
          );
          if (items.length === 0) return warmingUp;
          const found = chosen(items, given);
          if (isApiError(found)) return found;
          const rows = sorted(found, sort, order).slice(0, limit);
          return { count: rows.length, items: rows };
        },
      };
    },
  });
