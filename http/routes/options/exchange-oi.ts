/** Open interest and turnover of options by exchange and asset. */
import { intervals } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import { type ListedOption, putCallRatio, sumsOf } from '../../../indicators/options/chain.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { notReceived } from '../../views/options.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import { assetOf, symbolOrAll } from '../analytics/common.ts';
import * as shared from './common.ts';

const settlement = s.object({
  settlement_currency: s.string('The base asset, or USDC.'),
  instrument_count: shared.instrument_count,
  open_interest_base: s.number('Base units, one side.'),
  open_interest_usd: s.number('At the forward of each option, US dollars.'),
});
const item = s.object({
  exchange: s.exchange,
  symbol: s.string('Base asset.'),
  open_interest_base: s.number('Base units, one side.'),
  open_interest_usd: s.number('At the forward of each option.'),
  call_oi_base: s.number('Base units, one side.'),
  put_oi_base: s.number('Base units, one side.'),
  put_call_oi_ratio: s.numberOrNull('Null without calls.'),
  volume_24h_base: s.numberOrNull('Base units; null where it is not stated.'),
  volume_24h_usd: s.numberOrNull('Base units x forward.'),
  instrument_count: shared.instrument_count,
  share: s.number('Part of the total, a fraction.'),
  settlements: s.list(settlement, 'The same by what the options settle in.'),
});
const point = s.object({
  timestamp: s.unixMs('Start of the UTC day, Unix ms.'),
  total_open_interest_usd: s.number('At the end of the day; of the day that still runs, now.'),
  exchanges: s.mapOf(s.number(), 'exchange to US dollars'),
  closed: s.boolean('False while the day still runs.'),
});
const answer = s.object({
  ...shared.origin,
  total_open_interest_usd: s.number('Of all items, US dollars.'),
  items: s.list(item, 'Largest open interest first.'),
  history: s.list(
    point,
    'Of the last 30 days and of this one, by day: days of which nothing is recorded are left out.',
  ),
});
type ExchangeOi = s.Static<typeof answer>;
type Item = s.Static<typeof item>;

const settlementsOf = (rows: readonly ListedOption[]) =>
  [...Map.groupBy(rows, ({ settle }) => settle)].map(([settlement_currency, own]) => {
    const sums = sumsOf(own);
    return {
      settlement_currency,
      instrument_count: sums.instruments,
      open_interest_base: sums.open_interest,
      open_interest_usd: sums.open_interest_usd,
    };
  });

function itemOf(rows: readonly ListedOption[], total: number): Item {
  const { exchange = '', symbol = '' } = rows[0] ?? {};
  const sums = sumsOf(rows);
  return {
    ...{ exchange, symbol },
    open_interest_base: sums.open_interest,
    open_interest_usd: sums.open_interest_usd,
    call_oi_base: sums.calls,
    put_oi_base: sums.puts,
    put_call_oi_ratio: putCallRatio(sums),
    volume_24h_base: sums.volume,
    volume_24h_usd: sums.volume_usd,
    instrument_count: sums.instruments,
    share: total > 0 ? sums.open_interest_usd / total : 0,
    settlements: settlementsOf(rows),
  };
}

/** The point of a day of the sums of its exchanges. */
const pointOf = (timestamp: number, exchanges: Record<string, number>, closed: boolean) => ({
  timestamp,
  total_open_interest_usd: Object.values(exchanges).reduce((sum, usd) => sum + usd, 0),
  exchanges,
  closed,
});

/** The present day, out of the items of now. */
function presentDay(items: readonly Item[], now: number) {
  const exchanges: Record<string, number> = {};
  for (const { exchange, open_interest_usd: usd } of items) {
    exchanges[exchange] = (exchanges[exchange] ?? 0) + usd;
  }
  return pointOf(stepAt(now, intervals['1d']), exchanges, false);
}

function exchangeOiOf(
  { options: view, recorded }: Pick<shared.RecordedOptionsContext, 'options' | 'recorded'>,
  symbol: string | undefined,
): ExchangeOi | ApiError {
  const found = view.find({ symbol });
  if (isApiError(found)) return found;
  const { open_interest_usd: total } = sumsOf(found.rows);
  const groups = Map.groupBy(found.rows, (row) => `${row.exchange} ${row.symbol}`);
  const items = [...groups.values()]
    .map((rows) => itemOf(rows, total))
    .sort((a, b) => b.open_interest_usd - a.open_interest_usd);
  const days = recorded
    .optionsByDay(symbol)
    .map(({ time, exchanges }) => pointOf(time, exchanges, true));
  const history = [...days, presentDay(items, view.now)];
  return { ...shared.originOf(found), total_open_interest_usd: total, items, history };
}

export function exchangeOiRoute(context: shared.RecordedOptionsContext): Route {
  const read = context.options.answers<string | undefined, ExchangeOi>(
    (symbol = '') => symbol,
    (symbol) => exchangeOiOf(context, symbol),
  );
  return route({
    ...shared.common,
    path: '/v1/options/exchange-oi',
    summary: 'Open interest and turnover of options by exchange and asset, and of the last 30 days',
    params: { symbol: symbolOrAll },
    answer,
    from: { answers: read, query: ({ symbol }) => assetOf(symbol), absent: notReceived },
  });
}
