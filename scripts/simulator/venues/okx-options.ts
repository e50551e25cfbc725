/** OKX: options, all settled in their coin. */

import { greeksOf, yearsBetween } from '../../../indicators/options/black76.ts';
import { yymmdd } from '../calendar.ts';
import { plain } from '../format.ts';
import { type Option, optionsAt, optionTradesOf } from '../market/options.ts';
import { type Ask, Refused } from '../venue.ts';

/** Assets in one contract. */
const sizes: Readonly<Record<string, number>> = { 'BTC-USD': 0.01, 'ETH-USD': 0.1 };

const idOf = (family: string, { expires, strike, side }: Option): string =>
  `${family}-${yymmdd(expires)}-${strike}-${side}`;
/** A part of what all markets turn over in a day is open. */
const openPart = 0.2;

/** One row of each option of `instFamily`. */
function perOption(
  ask: Ask,
  rowOf: (option: Option, about: { size: number; now: number }) => Readonly<Record<string, string>>,
) {
  const { query, now } = ask;
  const family = query.get('instFamily') ?? query.get('uly') ?? '';
  const size = sizes[family];
  if (size === undefined)
    throw new Refused(400, { code: '51000', data: [], msg: 'Parameter instFamily error' });
  const [asset = ''] = family.split('-');
  const data = optionsAt(ask, ['okx', asset], openPart).map((option) => {
    return {
      instId: idOf(family, option),
      instType: 'OPTION',
      ts: String(now),
      ...rowOf(option, { size, now }),
    };
  });
  return { code: '0', msg: '', data };
}

/** `public/open-interest?instType=OPTION&instFamily=`: contracts and the asset; `oiUsd` repeats the asset there. */
export const optionInterest = (ask: Ask) =>
  perOption(ask, ({ open }, { size }) => ({
    oi: plain(open / size, 0),
    oiCcy: plain(open, 8),
    oiUsd: plain(open, 8),
  }));

/** Coins for one option on one coin. */
const price = (dollars: number, forward: number) => plain(dollars / forward, 8);

/** `public/opt-summary?instFamily=`: volatilities as fractions; greeks in the coin, and in dollars with `BS` behind. */
export const optionSummaries = (ask: Ask) =>
  perOption(ask, (option, { now }) => {
    const { asset, side, strike, expires, forward, volatility } = option;
    const type = side === 'C' ? 'call' : 'put';
    const years = yearsBetween(now, expires);
    const greeks = greeksOf({ type, strike, forward, volatility, years });
    const { delta = 0, gamma = 0, theta = 0, vega = 0 } = greeks ?? {};
    return {
      uly: `${asset}-USD`,
      fwdPx: plain(forward, 8),
      markVol: plain(volatility, 10),
      bidVol: plain(volatility * 0.98, 10),
      askVol: plain(volatility * 1.02, 10),
      delta: plain(delta - option.value / forward, 12),
      deltaBS: plain(delta, 12),
      gamma: plain(gamma * forward - delta, 12),
      gammaBS: plain(gamma, 16),
      theta: plain(theta / forward, 12),
      thetaBS: plain(theta, 10),
      vega: plain(vega / forward, 12),
      vegaBS: plain(vega, 10),
    };
  });

/** `market/tickers?instType=OPTION&instFamily=`: contracts in `vol24h`, the asset in `volCcy24h`; no bid is an empty one. */
export const optionTickers = (ask: Ask) =>
  perOption(ask, ({ value, forward, open }, { size, now }) => {
    const last = price(value, forward);
    return {
      last,
      ts: String(now),
      askPx: price(value * 1.01, forward),
      bidPx: open === 0 ? '' : price(value * 0.99, forward),
      vol24h: plain(open / 50 / size, 0),
      volCcy24h: plain(open / 50, 8),
    };
  });

/** `public/mark-price?instType=OPTION&instFamily=`: in the coin. */
export const optionMarks = (ask: Ask) =>
  perOption(ask, ({ value, forward }) => ({ markPx: price(value, forward) }));

/** `option-trades`: the trades of a family in the second before `now`; contracts, and prices in the coin. */
export const optionTrades = (at: Pick<Ask, 'model' | 'now'>, instFamily: string) =>
  optionTradesOf(at, ['okx', instFamily.split('-')[0] ?? ''], openPart).map(
    ({ option, bought, quantity, price: paid, index, time, id }) => ({
      fillVol: plain(option.volatility, 10),
      fwdPx: plain(option.forward, 8),
      idxPx: plain(index, 2),
      instFamily,
      instId: idOf(instFamily, option),
      markPx: price(option.value, index),
      optType: option.side,
      px: plain(Math.max(0.0001, paid / index), 4),
      side: bought ? 'buy' : 'sell',
      sz: plain(quantity / (sizes[instFamily] ?? 1), 0),
      tradeId: String(id),
      ts: String(time),
    }),
  );
