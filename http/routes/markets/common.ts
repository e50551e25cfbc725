/** What the rows of the tables of markets share. */
import * as s from '../../../actors/topics/schema.ts';
import { ratioOf } from '../../../indicators/market/assets.ts';
import { type DayChange, dayChangeBases } from '../../../indicators/market/day-change.ts';
import type { Tables } from '../../views/market-tables.ts';
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

export const { symbol, exchange, quote } = s;
export const priceUsd = s.number(
  'US dollars: mean over the markets by their turnover, without those more than 5 % from the median.',
);
/** The change of an asset, the same in every table, and what it is of. */
export const changeFields = {
  price_change_24h_percent: s.numberOrNull(
    'Change of the price of the asset in 24 hours, percent: mean over its markets, spot and perpetual, by their turnover.',
  ),
  price_change_24h_basis: s.oneOf(
    [...dayChangeBases, null],
    'asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is.',
  ),
};
/** The change of an asset as its answers state it. */
export const changeOf = (change: DayChange | null) => ({
  price_change_24h_percent: change?.percent ?? null,
  price_change_24h_basis: change?.basis ?? null,
});

/** The change that one market states, in the items of a list, and the field of the list that says so. */
export const marketChange = s.numberOrNull(
  'Change of the price of this market in 24 hours, percent; null where the exchange states none.',
);
export const basisOfMarkets = {
  price_change_24h_basis: s.literal(
    'market',
    'Of one market each, not of the asset as in the tables of assets.',
  ),
};
export const ofMarkets = { price_change_24h_basis: 'market' as const };
export const changeHour = s.numberOrNull(
  'Change of the mean price of all exchanges in one hour, percent; null where it is not recorded.',
);
export const updated_at = s.unixMs('When the newest of its numbers was received, Unix ms.');

/** A list with the number of its rows. */
export const listOf = <P extends s.TProperties, M extends s.TProperties>(
  item: s.TObject<P>,
  more: M,
) =>
  s.object({ ...more, count: s.integer('Rows.'), items: s.list(item, 'The rows of the table.') });

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

/** Fields of what was liquidated. */
const liquidation = s.numberOrNull(
  'US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any.',
);
export const liquidationFields = {
  liquidation_usd_24h: liquidation,
  long_liquidation_usd_24h: liquidation,
  short_liquidation_usd_24h: liquidation,
};
export const changeOfInterest = s.numberOrNull(
  'Percent, over the exchanges that are recorded at both times; null where they have less than half of it.',
);
export const longShortFields = {
  long_short_ratio: s.numberOrNull(
    'Accounts that are long over those that are short, on Binance, of the newest five minutes; null for assets that are not recorded.',
  ),
  long_short_ratio_basis: s.literal(
    'binance',
    'Of that exchange alone; /v1/long-short-ratio is the mean of several.',
  ),
};

/** Which asset, and the exchange whose markets alone count. */
interface AssetQuery {
  symbol: string;
  exchange?: string | undefined;
}

/** What was liquidated of the perpetuals of an asset. */
export function liquidatedOf({ liquidations }: Tables, { symbol, exchange }: AssetQuery) {
  const totals = liquidations.recent('symbol', exchange);
  const { long, short } = totals?.get(symbol)?.[24] ?? { long: 0, short: 0 };
  return {
    liquidation_usd_24h: totals && long + short,
    long_liquidation_usd_24h: totals && long,
    short_liquidation_usd_24h: totals && short,
  };
}

/** What recorded series state of the perpetuals of an asset. */
export function recordedOf({ recorded }: Tables, { symbol, exchange }: AssetQuery) {
  const changes = recorded.interestChanges(symbol, exchange);
  return {
    open_interest_change_1h_percent: changes.hour,
    open_interest_change_24h_percent: changes.day,
    long_short_ratio: recorded.accountRatio(symbol, exchange),
    long_short_ratio_basis: 'binance' as const,
  };
}
