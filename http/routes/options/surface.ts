/** Implied volatility by expiry and strike, its skew and its term structure. */
import * as s from '../../../actors/topics/schema.ts';
import type { Expiry } from '../../../indicators/options/chain.ts';
import {
  atTheMoney,
  forwardVolatility,
  middleOf,
  skewOf,
  smileOf,
} from '../../../indicators/options/surface.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { notReceived, type OptionsView } from '../../views/options.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import * as shared from './common.ts';

const point = s.object({
  strike: s.number('US dollars.'),
  moneyness: s.number('Natural logarithm of strike over forward.'),
  iv: s.numberOrNull('Mean of call and put, fraction a year.'),
  call_iv: s.numberOrNull('Mean over the exchanges, fraction a year.'),
  put_iv: s.numberOrNull('Mean over the exchanges, fraction a year.'),
});
const expiry = s.object({
  ...shared.expiryFields,
  forward_price: s.number('Median over the options, US dollars.'),
  atm_iv: s.numberOrNull('Of the strike nearest to the forward, fraction a year.'),
  forward_iv: s.numberOrNull(
    'Volatility between the expiry before and this one, fraction a year; null for the first, and where variance falls.',
  ),
  call_25d_iv: s.numberOrNull(
    'Of the call with a delta of 0.25, fraction a year; null where no strike reaches it.',
  ),
  put_25d_iv: s.numberOrNull('Of the put with a delta of -0.25, fraction a year.'),
  skew_25d: s.numberOrNull('`put_25d_iv` less `call_25d_iv`, fraction a year.'),
  butterfly_25d: s.numberOrNull('Mean of the two less `atm_iv`, fraction a year.'),
  points: s.list(point, 'By strike.'),
});
const answer = s.object({
  ...shared.headFields,
  expiries: s.list(expiry, 'Soonest first: the term structure.'),
});
type Surface = s.Static<typeof answer>;
type ExpiryOf = s.Static<typeof expiry>;

function expirySurface(one: Expiry): Omit<ExpiryOf, 'forward_iv'> {
  const smile = smileOf(one);
  const { call, put, skew, butterfly } = skewOf(smile, one);
  return {
    ...shared.expiryOf(one),
    forward_price: one.forward,
    atm_iv: atTheMoney(smile, one.forward),
    ...{ call_25d_iv: call, put_25d_iv: put, skew_25d: skew, butterfly_25d: butterfly },
    points: smile.map((each) => ({
      strike: each.strike,
      moneyness: Math.log(each.strike / one.forward),
      iv: middleOf(each),
      call_iv: each.call,
      put_iv: each.put,
    })),
  };
}

type Term = Pick<ExpiryOf, 'days_to_expiry' | 'atm_iv'>;

/** The volatility between two expiries; null where one has none. */
function between(near: Term | undefined, far: Term): number | null {
  if (near === undefined || near.atm_iv === null || far.atm_iv === null) return null;
  return forwardVolatility(
    { years: near.days_to_expiry / 365, volatility: near.atm_iv },
    { years: far.days_to_expiry / 365, volatility: far.atm_iv },
  );
}

function surfaceOf(view: OptionsView, query: shared.ChainQuery): Surface | ApiError {
  const chain = shared.chainOf(view, query);
  if (isApiError(chain)) return chain;
  const shapes = chain.expiries.map(expirySurface);
  const expiries = shapes.map((one, at) => ({ ...one, forward_iv: between(shapes[at - 1], one) }));
  return { ...chain.head, expiries };
}

export function surfaceRoute({ options, ids }: shared.OptionsContext): Route {
  const read = options.answers<shared.ChainQuery, Surface>(shared.variantOf, (query) =>
    surfaceOf(options, query),
  );
  return route({
    ...shared.common,
    path: '/v1/options/surface',
    summary: 'Implied volatility by expiry and strike, 25-delta skew and term structure',
    params: shared.chainParams(ids),
    answer,
    from: { answers: read, absent: notReceived },
  });
}
