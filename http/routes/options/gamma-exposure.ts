/** The amount that hedgers of options must trade when the price moves. */
import * as s from '../../../actors/topics/schema.ts';
import { type ListedOption, strikesOf } from '../../../indicators/options/chain.ts';
import {
  type Exposure,
  gammaExposure,
  gammaFlip,
} from '../../../indicators/options/gamma-exposure.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { notReceived, type OptionsView } from '../../views/options.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import * as shared from './common.ts';

const exposure = {
  calls_usd: s.number('US dollars per 1 % of the price.'),
  puts_usd: s.number('The same of puts, 0 or less.'),
  net_usd: s.number('Calls and puts together.'),
};
const answer = s.object({
  ...shared.headFields,
  convention: s.literal(
    'dealers_long_calls_short_puts',
    'What is assumed of the positions of dealers.',
  ),
  ...exposure,
  flip_price: s.numberOrNull(
    'Nearest price at which the net exposure changes its sign, US dollars; null without one within 30 %.',
  ),
  expiries: s.list(s.object({ ...shared.expiryFields, ...exposure }), 'Soonest first.'),
  strikes: s.list(s.object({ strike: shared.strike, ...exposure }), 'Lowest first.'),
});
type Answer = s.Static<typeof answer>;

const fieldsOf = ({ calls, puts, net }: Exposure) => ({
  calls_usd: calls,
  puts_usd: puts,
  net_usd: net,
});

function answerOf(view: OptionsView, query: shared.ChainQuery): Answer | ApiError {
  const chain = shared.chainOf(view, query);
  if (isApiError(chain)) return chain;
  const found = query.expiry === undefined ? null : shared.expiryOn(chain, query.expiry);
  if (found !== null && isApiError(found)) return found;
  const expiries = found === null ? chain.expiries : [found];
  const { head, now } = chain;
  const rows = expiries.flatMap((one): readonly ListedOption[] => one.rows);
  const byStrike = Map.groupBy(rows, ({ strike }) => strike);
  const flip = gammaFlip(rows, now);
  return {
    ...head,
    convention: 'dealers_long_calls_short_puts',
    ...fieldsOf(gammaExposure(rows, now)),
    flip_price: flip === null ? null : flip * head.underlying_price,
    expiries: expiries.map((one) => ({
      ...shared.expiryOf(one),
      ...fieldsOf(gammaExposure(one.rows, now)),
    })),
    strikes: strikesOf(rows).map((strike) => ({
      strike,
      ...fieldsOf(gammaExposure(byStrike.get(strike) ?? [], now)),
    })),
  };
}

export function gammaExposureRoute({ options, ids }: shared.OptionsContext): Route {
  const read = options.answers<shared.ChainQuery, Answer>(shared.variantOf, (query) =>
    answerOf(options, query),
  );
  return route({
    ...shared.common,
    path: '/v1/options/gamma-exposure',
    summary: 'Gamma exposure of the options on an asset by strike and by expiry',
    params: {
      ...shared.chainParams(ids),
      expiry: { ...shared.expiryParam, description: 'Only this day of expiry, `YYYY-MM-DD`.' },
    },
    answer,
    from: { answers: read, absent: notReceived },
  });
}
