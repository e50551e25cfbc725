/** The greeks of the options of one expiry, and what hedgers of options must trade when the price moves. */
import { dayLength } from '../../../indicators/market/days.ts';
import * as chains from '../../../indicators/options/chain.ts';
import * as gammas from '../../../indicators/options/gamma-exposure.ts';
import { notReceived } from '../../views/options.ts';
import { isApiError, kit, params, s } from '../kit.ts';
import * as shared from './common.ts';

type Greek = chains.ListedOption & { rho: number | null; source: chains.SourcedGreeks['source'] };

const option = kit.columns<Greek>()({
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
  source: s.oneOf(['published', 'computed'], 'By the exchange, or here of its iv (Black-76).'),
});
const noGreeks = { delta: null, gamma: null, theta: null, vega: null, rho: null };

const expiry = kit.columns<chains.Expiry>()(shared.expiryCells);

/** The expiry of a day; without one the first that is a day away at least, or the last. */
function chosen(chain: shared.AssetChain, date: string | undefined) {
  if (date !== undefined) return shared.expiryOn(chain, date);
  const { expiries, now } = chain;
  return expiries.find((one) => one.expiry - now >= dayLength) ?? expiries.at(-1) ?? notReceived;
}

const greekOf = (row: chains.ListedOption, now: number): Greek => ({
  ...row,
  ...(chains.greeksOfRow(row, now) ?? { ...noGreeks, source: 'computed' }),
});

export const greeksRoute = (context: shared.OptionsContext) =>
  kit.table({
    ...shared.common,
    path: '/v1/options/greeks',
    summary: 'Greeks of the options of one expiry, as published or computed by Black-76',
    params: {
      ...shared.chainParams(context),
      expiry: shared.expiryParam(
        'Day of expiry, `YYYY-MM-DD`. The nearest that is at least 24 hours away when absent.',
      ),
      type: params.word(['call', 'put'], 'Only these. Both when absent.'),
      limit: params.limit(200, 1000, 'Most options, lowest strike first.'),
    },
    fields: { ...shared.headFields, ...expiry.properties },
    columns: option,
    order: 'By strike.',
    source: context.options.source,
    find({ chain, type, expiry: date }) {
      const found = chosen(chain, date);
      if (isApiError(found)) return found;
      const wanted = found.rows.filter((row) => (type ?? row.type) === row.type);
      const rows = wanted.sort(shared.byStrike).map((row) => greekOf(row, chain.now));
      return { ...chain.head, ...expiry.read(found), rows };
    },
  });

const exposureCells = {
  calls_usd: [s.number('Exposure of calls, US dollars per 1 % of the price.'), 'calls'],
  puts_usd: [s.number('Exposure of puts, 0 or less.'), 'puts'],
  net_usd: [s.number('Calls and puts together.'), 'net'],
} as const;
const exposure = kit.columns<gammas.Exposure>()(exposureCells);
const exposureExpiry = kit.columns<chains.Expiry & gammas.Exposure>()({
  ...shared.expiryCells,
  ...exposureCells,
});
const strike = kit.columns<gammas.Exposure & { strike: number }>()({
  strike: shared.strike,
  ...exposureCells,
});

export const gammaExposureRoute = (context: shared.OptionsContext) =>
  shared.chainDocument(context, {
    path: '/v1/options/gamma-exposure',
    summary: 'Gamma exposure of the options on an asset by strike and by expiry',
    list: 'strikes',
    expiry: 'Only this day of expiry, `YYYY-MM-DD`.',
    fields: {
      convention: s.literal('dealers_long_calls_short_puts', 'What is assumed of dealers.'),
      ...exposure.properties,
      flip_price: s.numberOrNull('Where the net changes its sign, US dollars; null beyond 30 %.'),
      expiries: s.list(exposureExpiry.schema, 'Soonest first.'),
      strikes: s.list(strike.schema, 'Lowest first.'),
    },
    build({ head, expiries: all, now }, only) {
      const { flip, expiries, strikes, ...sums } = gammas.exposuresOf(only ? [only] : all, now);
      return {
        convention: 'dealers_long_calls_short_puts' as const,
        ...exposure.read(sums),
        flip_price: flip === null ? null : flip * head.underlying_price,
        expiries: exposureExpiry.all(expiries),
        strikes: strike.all(strikes),
      };
    },
  });
