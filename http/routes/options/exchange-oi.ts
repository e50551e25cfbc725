/** Open interest and turnover of options by exchange and asset. */
import * as s from '../../../actors/topics/schema.ts';
import { type ListedOption, putCallRatio, sumsOf } from '../../../indicators/options/chain.ts';
import { type ApiError, isApiError } from '../../errors.ts';
import { notReceived, type OptionsView } from '../../views/options.ts';
import { assetOf, symbolOrAll } from '../analytics/common.ts';
import { type Route, route } from '../route.ts';
import * as shared from './common.ts';

const settlement = s.object({
  settlement_currency: s.string('The base asset, or USDC.'),
  instrument_count: s.integer(),
  open_interest_base: s.number(),
  open_interest_usd: s.number(),
});
const item = s.object({
  exchange: s.string(),
  symbol: s.string('Base asset.'),
  open_interest_base: s.number('Base units, one side.'),
  open_interest_usd: s.number('At the forward of each option.'),
  call_oi_base: s.number(),
  put_oi_base: s.number(),
  put_call_oi_ratio: s.numberOrNull('Null without calls.'),
  volume_24h_base: s.numberOrNull('Base units; null where it is not stated.'),
  volume_24h_usd: s.numberOrNull('Base units x forward.'),
  instrument_count: s.integer(),
  share: s.number('Part of the total, a fraction.'),
  settlements: s.list(settlement, 'The same by what the options settle in.'),
});
const answer = s.object({
  ...shared.origin,
  total_open_interest_usd: s.number(),
  items: s.list(item, 'Largest open interest first.'),
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

function exchangeOiOf(view: OptionsView, symbol: string | undefined): ExchangeOi | ApiError {
  const found = view.find({ symbol });
  if (isApiError(found)) return found;
  const { open_interest_usd: total } = sumsOf(found.rows);
  const groups = Map.groupBy(found.rows, (row) => `${row.exchange} ${row.symbol}`);
  return {
    ...shared.originOf(found),
    total_open_interest_usd: total,
    items: [...groups.values()]
      .map((rows) => itemOf(rows, total))
      .sort((a, b) => b.open_interest_usd - a.open_interest_usd),
  };
}

export function exchangeOiRoute({ options }: shared.OptionsContext): Route {
  const read = options.answers<string | undefined, ExchangeOi>(
    (symbol = '') => symbol,
    (symbol) => exchangeOiOf(options, symbol),
  );
  return route({
    ...shared.common,
    path: '/v1/options/exchange-oi',
    summary: 'Open interest and turnover of options by exchange and asset',
    params: { symbol: symbolOrAll },
    answer,
    from: { view: ({ symbol }) => read(assetOf(symbol)) ?? notReceived },
  });
}
