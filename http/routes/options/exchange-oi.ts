/** Open interest and turnover of options by exchange and asset. */
import { intervals } from '../../../actors/topics/index.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import * as chains from '../../../indicators/options/chain.ts';
import { isApiError, kit, params, s } from '../kit.ts';
import * as shared from './common.ts';

const settlement = kit.columns<chains.ChainSums & { settle: string }>()({
  settlement_currency: [s.string('The base asset, or USDC.'), 'settle'],
  instrument_count: [shared.instrument_count, 'instruments'],
  open_interest_base: [s.number('One side.'), 'open_interest'],
  open_interest_usd: s.number('At the forward of each option.'),
});

const item = kit.columns<chains.ListedChain>()({
  exchange: s.exchange,
  symbol: s.string('Base asset.'),
  open_interest_base: [s.number('One side.'), 'open_interest'],
  open_interest_usd: s.number('At the forward of each option.'),
  ...shared.sideCells,
  put_call_oi_ratio: [s.numberOrNull('Null without calls.'), (sums) => chains.putCallRatio(sums)],
  volume_24h_base: [s.numberOrNull('Base units; null where it is not stated.'), 'volume'],
  volume_24h_usd: [s.numberOrNull('Base units x forward.'), 'volume_usd'],
  instrument_count: [shared.instrument_count, 'instruments'],
  share: s.number('Part of the total, a fraction.'),
  settlements: [
    s.list(settlement.schema, 'The sums by what the options settle in.'),
    ({ rows }) => settlement.all(chains.settlementsOf(rows)),
  ],
});
const point = s.object({
  timestamp: s.unixMs('Start of the UTC day.'),
  total_open_interest_usd: s.number('At the end of the day; of the day that still runs, now.'),
  exchanges: s.mapOf(s.number(), 'exchange to US dollars'),
  closed: s.boolean('False while the day still runs.'),
});
const answer = s.object({
  ...shared.origin,
  total_open_interest_usd: s.number('Sum of all items.'),
  items: s.list(item.schema, 'Largest open interest first.'),
  history: s.list(point, 'The last 30 days and this one; days without a record are left out.'),
});

/** The point of a day of the sums of its exchanges. */
const pointOf = (timestamp: number, exchanges: Record<string, number>, closed: boolean) => ({
  timestamp,
  total_open_interest_usd: Object.values(exchanges).reduce((sum, usd) => sum + usd, 0),
  exchanges,
  closed,
});

/** The present day, out of the items of now. */
function presentDay(items: readonly chains.ListedChain[], now: number) {
  const exchanges: Record<string, number> = {};
  for (const { exchange, open_interest_usd: usd } of items) {
    exchanges[exchange] = (exchanges[exchange] ?? 0) + usd;
  }
  return pointOf(stepAt(now, intervals['1d']), exchanges, false);
}

function exchangeOiOf(
  { options: view, recorded }: Pick<shared.RecordedOptionsContext, 'options' | 'recorded'>,
  symbol: string | undefined,
) {
  const found = view.find({ symbol });
  if (isApiError(found)) return found;
  const { total, items } = chains.listedChains(found.rows);
  const days = recorded
    .optionsByDay(symbol)
    .map(({ time, exchanges }) => pointOf(time, exchanges, true));
  return {
    ...shared.originOf(found),
    total_open_interest_usd: total,
    items: item.all(items),
    history: [...days, presentDay(items, view.source.now)],
  };
}

export const exchangeOiRoute = (context: shared.RecordedOptionsContext) =>
  kit.document({
    ...shared.common,
    path: '/v1/options/exchange-oi',
    summary: 'Open interest and turnover of options by exchange and asset, and of the last 30 days',
    params: { symbol: params.symbolOrAll },
    answer,
    list: 'items',
    source: context.options.source,
    build: ({ symbol }) => exchangeOiOf(context, symbol?.toUpperCase()),
  });
