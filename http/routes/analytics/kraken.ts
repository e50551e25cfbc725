/** Kraken Futures: its perpetuals, and a book deeper than those of all exchanges (specification 4.3). Rates are fractions, an hour or eight hours. */
import type { Depth, Level } from '../../../actors/topics/index.ts';
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import { isKnown, type Known, type Perpetual } from '../../../indicators/derivatives/perpetuals.ts';
import { spread } from '../../../indicators/order-book/spread.ts';
import type { Markets } from '../../views/markets.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import { apiError, isApiError, kit, params, s } from '../kit.ts';
import { notYet } from './common.ts';

const id = 'kraken' as const;

const kind = [
  s.oneOf(['perpetual', 'future'], 'Dated futures are not listed.'),
  () => 'perpetual' as const,
] as const;
const name = {
  symbol: s.string('Base asset.'),
  contract: s.ownId,
};
const mark_price = [s.number('USD.'), 'mark'] as const;
const index_price = [s.numberOrNull('USD; null where the exchange states none.'), 'index'] as const;
const eightTimes = s.numberOrNull('Hourly rate x 8, a fraction.');
const per8Hours = (rate: number | null) => (rate === null ? null : rateOf8Hours(rate, 1));

const interest = kit.columns<Known<'units' | 'value' | 'inverse'>>()({
  ...name,
  margin_type: [
    s.oneOf(['linear', 'inverse'], 'inverse: margined in the base asset.'),
    ({ inverse }) => (inverse ? 'inverse' : 'linear'),
  ],
  kind,
  open_interest_base: [s.number('One side.'), 'units'],
  open_interest_usd: [s.number('USD, one side.'), 'value'],
  volume_24h_usd: [s.numberOrNull('Turnover of 24 hours.'), 'volume'],
});

const funding = kit.columns<Known<'mark' | 'next'>>()({
  ...name,
  funding_rate_1h: [s.numberOrNull('Fraction of the running hour.'), 'rate'],
  funding_rate_8h: [eightTimes, ({ rate }) => per8Hours(rate)],
  predicted_rate_1h: [s.numberOrNull('Fraction expected for the next hour.'), 'predicted'],
  predicted_rate_8h: [eightTimes, ({ predicted }) => per8Hours(predicted)],
  mark_price,
  index_price,
  next_funding_time: [s.unixMs('When the running rate is charged: the next full hour.'), 'next'],
});

const mark = kit.columns<Known<'mark'>>()({
  ...name,
  kind,
  mark_price,
  index_price,
  last_price: [s.numberOrNull('Last trade, USD.'), 'last'],
  premium_percent: [
    s.numberOrNull('Mark over index, less one; null without an index.'),
    ({ mark, index }) => (index === null ? null : (mark / index - 1) * 100),
  ],
});

const fields = {
  exchange: s.literal(id, 'Exchange id.'),
  updated_at: s.unixMs('When the newest reading was received.'),
};

/** The perpetuals of which these values are known, of one asset or of all. */
function knownOf<K extends keyof Perpetual>(
  perpetuals: PerpetualsView,
  symbol: string | undefined,
  keys: readonly K[],
) {
  const found = perpetuals.of(id);
  if (found === undefined) return notYet('the perpetuals of kraken');
  const all = found.rows.filter(isKnown(keys));
  if (all.length === 0) return notYet('a fresh reading of kraken');
  const rows = symbol === undefined ? all : all.filter((row) => row.symbol === symbol);
  return rows.length > 0
    ? { exchange: id, updated_at: found.newest, rows }
    : apiError('unknown_symbol', `unknown symbol '${symbol}' for kraken`);
}

/** Largest first, with their sum. */
function interestsOf(perpetuals: PerpetualsView, symbol: string | undefined) {
  const found = knownOf(perpetuals, symbol, ['units', 'value', 'inverse']);
  if (isApiError(found)) return found;
  const rows = found.rows.toSorted((a, b) => b.value - a.value);
  return {
    ...found,
    total_open_interest_usd: rows.reduce((sum, { value }) => sum + value, 0),
    rows,
  };
}

/** The asset that a client names, in capital letters where Kraken lists no perpetual of it. */
const assetOf =
  (markets: Markets) =>
  ({ symbol: given }: kit.CheckedValues): { symbol: string | undefined } => {
    if (given === undefined) return { symbol: given };
    const found = markets.resolve(String(given), { kind: 'perpetual', exchanges: [id] });
    return { symbol: isApiError(found) ? String(given).toUpperCase() : found.symbol };
  };

export function krakenRoutes({ perpetuals, markets }: kit.Needs<'perpetuals' | 'markets'>) {
  const row = {
    params: { symbol: { ...params.symbolOrAll, resolve: assetOf(markets) } },
    fails: ['upstream_failed'],
    order: 'One row a contract.',
    source: perpetuals.source,
  } as const;
  return [
    kit.table({
      ...row,
      path: '/v1/analytics/kraken/open-interest',
      summary: 'Open interest of the perpetuals of Kraken Futures',
      fields: { ...fields, total_open_interest_usd: s.number('Sum of all items.') },
      columns: interest,
      find: ({ symbol }) => interestsOf(perpetuals, symbol),
    }),
    kit.table({
      ...row,
      path: '/v1/analytics/kraken/funding-rates',
      summary: 'Funding rates of the perpetuals of Kraken Futures',
      fields,
      columns: funding,
      find: ({ symbol }) => knownOf(perpetuals, symbol, ['mark', 'next']),
    }),
    kit.table({
      ...row,
      path: '/v1/analytics/kraken/mark-prices',
      summary: 'Mark, index and last prices of the perpetuals of Kraken Futures',
      fields,
      columns: mark,
      find: ({ symbol }) => knownOf(perpetuals, symbol, ['mark']),
    }),
  ];
}

const level = kit.columns<Level>()({
  price: s.number('USD.'),
  quantity: s.number('Base units.'),
  value_usd: [s.number('Price x quantity.'), ({ price, quantity }) => price * quantity],
});
const bookFields = kit.columns<Depth>()({
  contract: [s.ownId, 'market'],
  bids: [s.list(level.schema, 'Price descending.'), ({ bids }) => level.all(bids)],
  asks: [s.list(level.schema, 'Price ascending.'), ({ asks }) => level.all(asks)],
  best_bid: [s.numberOrNull('USD; null without bids.'), ({ bids: [best] }) => best?.price ?? null],
  best_ask: [s.numberOrNull('USD; null without asks.'), ({ asks: [best] }) => best?.price ?? null],
  mid_price: [
    s.numberOrNull('USD; null while a side is empty or the book is crossed.'),
    ({ bids, asks }) => spread(bids[0], asks[0]).mid_price,
  ],
  spread_percent: [
    s.numberOrNull('Ask less bid, percent of the mid.'),
    ({ bids, asks }) => spread(bids[0], asks[0]).spread_pct,
  ],
  bids_usd_1pct: [s.number('Value of all bids within 1 % of the mid price.'), 'bidsNear'],
  asks_usd_1pct: [s.number('Value of all asks within 1 % of the mid price.'), 'asksNear'],
  timestamp: s.unixMs('When the exchange took it.'),
  suspect: s.optional(s.boolean('True where its middle is over 30 % off all prices of the asset.')),
});

export const krakenDepthRoutes = (context: kit.MarketContext) =>
  kit.history({
    path: '/v1/analytics/kraken/depth',
    summary: 'Order book of a perpetual of Kraken Futures',
    params: {
      symbol: params.symbolOrBitcoin,
      limit: params.limit(50, 200, 'Most levels a side.'),
    },
    of: {
      ...kit.ofMarket(context, {
        names: ['depth'],
        on: 'kraken',
        what: 'the order book',
        params: ({ market, kind }, { limit }: { symbol: string; limit: number }) => ({
          market,
          kind,
          limit,
        }),
      }),
      head: kit.symbolField,
    },
    fold: (depth) => depth,
    fields: bookFields,
  });
