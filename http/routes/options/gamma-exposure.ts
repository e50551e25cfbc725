/** The amount that hedgers of options must trade when the price moves. */
import * as s from '../../../actors/topics/schema.ts';
import { type Expiry, type ListedOption, strikesOf } from '../../../indicators/options/chain.ts';
import {
  type Exposure,
  gammaExposure,
  gammaFlip,
} from '../../../indicators/options/gamma-exposure.ts';
import type { Route } from '../../endpoints/route.ts';
import { columns } from '../factory/columns.ts';
import * as shared from './common.ts';

const exposureCells = {
  calls_usd: [s.number('Exposure of calls, US dollars per 1 % of the price.'), 'calls'],
  puts_usd: [s.number('Exposure of puts, 0 or less.'), 'puts'],
  net_usd: [s.number('Calls and puts together.'), 'net'],
} as const;
const exposure = columns<Exposure>()(exposureCells);
const expiry = columns<Expiry & Exposure>()({ ...shared.expiryCells, ...exposureCells });
const strike = columns<Exposure & { strike: number }>()({
  strike: shared.strike,
  ...exposureCells,
});

function exposuresOf({ head, now }: shared.AssetChain, expiries: readonly Expiry<ListedOption>[]) {
  const rows = expiries.flatMap((one): readonly ListedOption[] => one.rows);
  const byStrike = Map.groupBy(rows, (row) => row.strike);
  const flip = gammaFlip(rows, now);
  return {
    convention: 'dealers_long_calls_short_puts' as const,
    ...exposure.read(gammaExposure(rows, now)),
    flip_price: flip === null ? null : flip * head.underlying_price,
    expiries: expiry.all(expiries.map((one) => ({ ...one, ...gammaExposure(one.rows, now) }))),
    strikes: strike.all(
      strikesOf(rows).map((at) => ({ strike: at, ...gammaExposure(byStrike.get(at) ?? [], now) })),
    ),
  };
}

export const gammaExposureRoute = (context: shared.OptionsContext): Route =>
  shared.chainDocument(context, {
    path: '/v1/options/gamma-exposure',
    summary: 'Gamma exposure of the options on an asset by strike and by expiry',
    list: 'strikes',
    expiry: 'Only this day of expiry, `YYYY-MM-DD`.',
    fields: {
      convention: s.literal(
        'dealers_long_calls_short_puts',
        'What is assumed of the positions of dealers.',
      ),
      ...exposure.properties,
      flip_price: s.numberOrNull(
        'Nearest price at which the net exposure changes its sign, US dollars; null without one within 30 %.',
      ),
      expiries: s.list(expiry.schema, 'Soonest first.'),
      strikes: s.list(strike.schema, 'Lowest first.'),
    },
    build: (chain, only) => exposuresOf(chain, only === null ? chain.expiries : [only]),
  });
