/** Sums of liquidations by symbol and by exchange. */
import * as s from '../../../actors/topics/schema.ts';
import type {
  LiquidationTotals,
  WindowHours,
} from '../../../indicators/derivatives/liquidation-sums.ts';
import { type Route, route } from '../../endpoints/route.ts';
import type { LiquidationsView } from '../../views/liquidations.ts';
import { symbolOrAll } from '../analytics/common.ts';
import { limit } from '../params.ts';
import {
  assetFor,
  common,
  count,
  exchangeOrAll,
  type LiquidationContext,
  severalFields,
  severalOf,
  symbol,
} from './common.ts';

const usd = s.number('US dollars.');
const sumsOf = <const H extends WindowHours>(hours: H) =>
  ({
    [`liquidation_usd_${hours}h`]: usd,
    [`long_${hours}h_usd`]: usd,
    [`short_${hours}h_usd`]: usd,
  }) as Record<`liquidation_usd_${H}h` | `long_${H}h_usd` | `short_${H}h_usd`, typeof usd>;

const coin = s.object({
  symbol,
  ...{ ...sumsOf(1), ...sumsOf(4), ...sumsOf(12), ...sumsOf(24) },
  largest_order_usd_24h: s.numberOrNull('The largest single one, US dollars.'),
});
const coinsAnswer = s.object({
  count,
  items: s.list(coin, 'Largest sum of 24 hours first.'),
  ...severalFields,
});

const item = s.object({
  exchange: s.string('`all` in the first item.'),
  liquidation_usd: usd,
  long_usd: usd,
  short_usd: usd,
  long_ratio: s.numberOrNull('Share of longs, 0 to 1; null without liquidations.'),
  order_count: s.integerOrNull('Liquidations; null where sums of an exchange come without it.'),
  share: s.numberOrNull('Of all exchanges, 0 to 1; null without liquidations.'),
});
const exchangesAnswer = s.object({
  symbol: s.stringOrNull('Base asset; null for all.'),
  range: s.string('Length of the window, as asked.'),
  count,
  items: s.list(item, 'All exchanges together, then each, largest sum first.'),
  ...severalFields,
});

const windowOf = <const H extends WindowHours>(hours: H, { long, short }: LiquidationTotals) =>
  ({
    [`liquidation_usd_${hours}h`]: long + short,
    [`long_${hours}h_usd`]: long,
    [`short_${hours}h_usd`]: short,
  }) as Record<`liquidation_usd_${H}h` | `long_${H}h_usd` | `short_${H}h_usd`, number>;

interface CoinsQuery {
  exchange?: string | undefined;
  limit: number;
}

function coinsOf(context: LiquidationContext, { exchange, limit: most }: CoinsQuery) {
  const totals = context.liquidations.totals({ by: 'symbol', exchange });
  const items = [...totals].map(
    ([name, of]): s.Static<typeof coin> => ({
      symbol: name,
      ...{ ...windowOf(1, of[1]), ...windowOf(4, of[4]) },
      ...{ ...windowOf(12, of[12]), ...windowOf(24, of[24]) },
      largest_order_usd_24h: of[24].largest > 0 ? of[24].largest : null,
    }),
  );
  items.sort((a, b) => b.liquidation_usd_24h - a.liquidation_usd_24h);
  const shown = items.slice(0, most);
  return { count: shown.length, items: shown, ...severalOf(context, exchange, 24) };
}

const rangeHours = { '1h': 1, '4h': 4, '12h': 12, '24h': 24 } as const;
const ranges = ['1h', '4h', '12h', '24h'] as const;

interface ExchangesQuery {
  symbol?: string | undefined;
  range: keyof typeof rangeHours;
}

const none: LiquidationTotals = { long: 0, short: 0, count: 0, largest: 0 };

function itemOf(
  exchange: string,
  { long, short, count: order_count }: LiquidationTotals,
  whole: number,
): s.Static<typeof item> {
  const sum = long + short;
  return {
    ...{ exchange, liquidation_usd: sum, long_usd: long, short_usd: short },
    long_ratio: sum > 0 ? long / sum : null,
    order_count,
    share: whole > 0 ? sum / whole : null,
  };
}

function exchangesOf(context: LiquidationContext, view: LiquidationsView, query: ExchangesQuery) {
  const hours = rangeHours[query.range];
  const found = view.totals({ by: 'exchange', symbol: query.symbol });
  const totals = view.exchanges.map((id) => [id, found.get(id)?.[hours] ?? none] as const);
  const sum = (of: (one: LiquidationTotals) => number) =>
    totals.reduce((all, [, one]) => all + of(one), 0);
  const [long, short] = [sum((one) => one.long), sum((one) => one.short)];
  const all = { long, short, count: sum((one) => one.count), largest: 0 };
  const each = totals
    .map(([id, one]) => itemOf(id, one, long + short))
    .sort((a, b) => b.liquidation_usd - a.liquidation_usd);
  const items = [itemOf('all', all, long + short), ...each];
  return {
    ...{ symbol: query.symbol ?? null, range: query.range, count: items.length, items },
    ...severalOf(context, undefined, hours),
  };
}

export function tableRoutes(context: LiquidationContext): Route[] {
  const { liquidations } = context;
  const coins = liquidations.tables<CoinsQuery, s.Static<typeof coinsAnswer>>(
    (query) => `${query.exchange} ${query.limit}`,
    (_view, query) => coinsOf(context, query),
  );
  const exchanges = liquidations.tables<ExchangesQuery, s.Static<typeof exchangesAnswer>>(
    (query) => `${query.symbol} ${query.range}`,
    (view, query) => exchangesOf(context, view, query),
  );
  return [
    route({
      ...common,
      immediate: true,
      path: '/v1/liquidations/coin-list',
      summary: 'Sums of liquidations of 1, 4, 12 and 24 hours by symbol',
      params: {
        exchange: exchangeOrAll(liquidations.exchanges),
        limit: limit(100, 500, 'Most symbols.'),
      },
      answer: coinsAnswer,
      from: { answers: coins },
    }),
    route({
      ...common,
      immediate: true,
      path: '/v1/liquidations/exchange-list',
      summary: 'Sums of liquidations by exchange',
      params: {
        symbol: symbolOrAll,
        range: { type: 'string', enum: ranges, default: '24h', description: 'Time before now.' },
      },
      answer: exchangesAnswer,
      from: {
        answers: exchanges,
        query({ symbol: given, range }) {
          const symbol = assetFor(context, undefined, given);
          return typeof symbol === 'object' ? symbol : { symbol, range };
        },
      },
    }),
  ];
}
