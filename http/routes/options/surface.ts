/** Implied volatility by expiry and strike, its skew and its term structure. */
import type { Expiry } from '../../../indicators/options/chain.ts';
import * as surface from '../../../indicators/options/surface.ts';
import { kit, s } from '../kit.ts';
import * as shared from './common.ts';

const point = kit.columns<surface.SmilePoint & Pick<Expiry, 'forward'>>()({
  strike: s.number('US dollars.'),
  moneyness: [
    s.number('Logarithm of strike/forward.'),
    ({ strike, forward }) => Math.log(strike / forward),
  ],
  iv: [s.numberOrNull('Mean of both, fraction a year.'), (smile) => surface.middleOf(smile)],
  call_iv: [s.numberOrNull('Mean over the exchanges, fraction a year.'), 'call'],
  put_iv: [s.numberOrNull('Mean over the exchanges, fraction a year.'), 'put'],
});

const expiry = kit.columns<surface.Shape>()({
  ...shared.expiryCells,
  forward_price: [s.number('Median over the options, US dollars.'), 'forward'],
  atm_iv: [s.numberOrNull('Volatility of the strike nearest the forward, fraction a year.'), 'atm'],
  forward_iv: [
    s.numberOrNull(
      'Volatility between the expiry before and this one, fraction a year; null for the first, and where variance falls.',
    ),
    'forwardVolatility',
  ],
  call_25d_iv: [s.numberOrNull('Of the call with delta 0.25, fraction a year, or null.'), 'call'],
  put_25d_iv: [s.numberOrNull('Of the put with delta -0.25, fraction a year, or null.'), 'put'],
  skew_25d: [s.numberOrNull('`put_25d_iv` less `call_25d_iv`, fraction a year.'), 'skew'],
  butterfly_25d: [s.numberOrNull('Mean of the two less `atm_iv`, fraction a year.'), 'butterfly'],
  points: [
    s.list(point.schema, 'By strike.'),
    ({ smile, forward }) => point.all(smile.map((one) => ({ ...one, forward }))),
  ],
});

export const surfaceRoute = (context: shared.OptionsContext) =>
  shared.chainDocument(context, {
    path: '/v1/options/surface',
    summary: 'Implied volatility by expiry and strike, 25-delta skew and term structure',
    fields: { expiries: s.list(expiry.schema, 'Soonest first: the term structure.') },
    build: ({ expiries }) => ({ expiries: expiry.all(surface.shapesOf(expiries)) }),
  });
