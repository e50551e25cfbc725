/** The greeks of the options of one expiry. */
import * as s from '../../../actors/topics/schema.ts';
import { dayLength } from '../../../indicators/market/days.ts';
import {
  type Expiry,
  greeksOfRow,
  type ListedOption,
  type SourcedGreeks,
} from '../../../indicators/options/chain.ts';
import type { Param, Route } from '../../endpoints/route.ts';
import { notReceived } from '../../views/options.ts';
import { isApiError } from '../../wire/errors.ts';
import { columns } from '../factory/columns.ts';
import { table } from '../factory/table.ts';
import * as params from '../params.ts';
import * as shared from './common.ts';

type Greek = ListedOption & { rho: number | null; source: SourcedGreeks['source'] };

const option = columns<Greek>()({
  ...shared.optionCells,
  mark_price_usd: [s.numberOrNull('Mark price of an option on one base unit.'), 'mark'],
  implied_volatility: [s.numberOrNull('Fraction a year.'), 'iv'],
  delta: s.numberOrNull('Base units.'),
  gamma: s.numberOrNull('Change of delta per US dollar of the forward.'),
  theta: s.numberOrNull('US dollars a day.'),
  vega: s.numberOrNull('US dollars per point (0.01) of volatility.'),
  rho: s.numberOrNull('US dollars per 1 % of interest; computed for every exchange.'),
  open_interest_base: [s.number('One side.'), 'open_interest'],
  underlying_price: [s.number('Forward price of the expiry, US dollars.'), 'underlying'],
  source: s.oneOf(
    ['published', 'computed'],
    'By the exchange, or here out of its volatility (Black-76).',
  ),
});
const noGreeks = { delta: null, gamma: null, theta: null, vega: null, rho: null };

const expiry = columns<Expiry>()(shared.expiryCells);

/** The expiry of a day; without one the first that is a day away at least, or the last. */
function chosen(chain: shared.AssetChain, date: string | undefined) {
  if (date !== undefined) return shared.expiryOn(chain, date);
  const { expiries, now } = chain;
  return expiries.find((one) => one.expiry - now >= dayLength) ?? expiries.at(-1) ?? notReceived;
}

interface GreeksQuery {
  chain: shared.AssetChain;
  expiry?: string | undefined;
  type?: 'call' | 'put' | undefined;
}

function greeksOf({ chain, type, expiry: date }: GreeksQuery) {
  const found = chosen(chain, date);
  if (isApiError(found)) return found;
  const rows = found.rows
    .filter((row) => type === undefined || row.type === type)
    .sort(shared.byStrike)
    .map((row): Greek => {
      return { ...row, ...(greeksOfRow(row, chain.now) ?? { ...noGreeks, source: 'computed' }) };
    });
  return { ...chain.head, ...expiry.read(found), rows };
}

const wanted = {
  expiry: shared.expiryParam(
    'Day of expiry, `YYYY-MM-DD`. The nearest that is at least 24 hours away when absent.',
  ),
  type: params.word(['call', 'put'], 'Only these. Both when absent.'),
  limit: params.limit(200, 1000, 'Most options, lowest strike first.'),
} as const satisfies Record<string, Param>;

export const greeksRoute = (context: shared.OptionsContext): Route =>
  table({
    ...shared.common,
    path: '/v1/options/greeks',
    summary: 'Greeks of the options of one expiry, as published or computed by Black-76',
    params: { ...shared.chainParams(context), ...wanted },
    fields: { ...shared.headFields, ...expiry.properties },
    columns: option,
    order: 'By strike.',
    source: context.options.source,
    find: greeksOf,
  });
