/** The greeks of the options of one expiry. */
import * as s from '../../../actors/topics/schema.ts';
import { dayLength } from '../../../indicators/market/days.ts';
import { greeksOfRow, type ListedOption } from '../../../indicators/options/chain.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { notReceived, type OptionsView } from '../../views/options.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import * as params from '../params.ts';
import * as shared from './common.ts';

const item = s.object({
  ...shared.optionFields,
  mark_price_usd: s.numberOrNull('Of an option on one base unit, US dollars.'),
  implied_volatility: s.numberOrNull('Fraction a year.'),
  delta: s.numberOrNull('Base units.'),
  gamma: s.numberOrNull('Change of delta per US dollar of the forward.'),
  theta: s.numberOrNull('US dollars a day.'),
  vega: s.numberOrNull('US dollars per point (0.01) of volatility.'),
  rho: s.numberOrNull('US dollars per 1 % of interest; computed for every exchange.'),
  open_interest_base: s.number('Base units, one side.'),
  underlying_price: s.number('Forward price of the expiry, US dollars.'),
  source: s.oneOf(
    ['published', 'computed'],
    'By the exchange, or here out of its volatility (Black-76).',
  ),
});
const answer = s.object({
  ...shared.headFields,
  ...shared.expiryFields,
  count: s.count,
  items: s.list(item, 'By strike.'),
});
type Answer = s.Static<typeof answer>;

interface GreeksQuery extends shared.ChainQuery {
  type?: 'call' | 'put' | undefined;
  limit: number;
}

const nothing = { delta: null, gamma: null, theta: null, vega: null, rho: null };

function itemOf(row: ListedOption, now: number): s.Static<typeof item> {
  const { mark, iv, open_interest, underlying } = row;
  return {
    ...shared.termsOf(row),
    ...{ mark_price_usd: mark, implied_volatility: iv, open_interest_base: open_interest },
    underlying_price: underlying,
    ...(greeksOfRow(row, now) ?? { ...nothing, source: 'computed' }),
  };
}

/** The expiry of a day; without one the first that is a day away at least, or the last. */
function chosen(chain: shared.AssetChain, date: string | undefined) {
  if (date !== undefined) return shared.expiryOn(chain, date);
  const { expiries, now } = chain;
  return expiries.find(({ expiry }) => expiry - now >= dayLength) ?? expiries.at(-1);
}

function greeksOf(view: OptionsView, query: GreeksQuery): Answer | ApiError {
  const chain = shared.chainOf(view, query);
  if (isApiError(chain)) return chain;
  const found = chosen(chain, query.expiry);
  if (found === undefined) return notReceived;
  if (isApiError(found)) return found;
  const items = found.rows
    .filter(({ type }) => query.type === undefined || type === query.type)
    .sort(shared.byStrike)
    .slice(0, query.limit)
    .map((row) => itemOf(row, chain.now));
  return { ...chain.head, ...shared.expiryOf(found), count: items.length, items };
}

export function greeksRoute({ options, ids }: shared.OptionsContext): Route {
  const read = options.answers<GreeksQuery, Answer>(
    ({ type = '', limit, ...chain }) => `${shared.variantOf(chain)} ${type} ${limit}`,
    (query) => greeksOf(options, query),
  );
  return route({
    ...shared.common,
    path: '/v1/options/greeks',
    summary: 'Greeks of the options of one expiry, as published or computed by Black-76',
    params: {
      ...shared.chainParams(ids),
      expiry: {
        ...shared.expiryParam,
        description:
          'Day of expiry, `YYYY-MM-DD`. The nearest that is at least 24 hours away when absent.',
      },
      type: {
        type: 'string',
        enum: ['call', 'put'],
        description: 'Only these. Both when absent.',
      },
      limit: params.limit(200, 1000, 'Most options, lowest strike first.'),
    },
    answer,
    from: { answers: read, absent: notReceived },
  });
}
