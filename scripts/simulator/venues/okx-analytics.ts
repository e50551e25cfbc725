/** Trading statistics of OKX (`rubik`): rows of strings, newest first. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import { pointRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { rowsWith, type Sight } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { bars, count, integer, list, marketOf, ok, parameter, required } from './okx-answers.ts';

const venue = 'okx';
const day = 86_400_000;

/** The bar of `period`, which is one of `words` where they are stated. */
function barOf(ask: Ask, words?: readonly string[]): Bar {
  const word = ask.query.get('period') || '5m';
  if (words && !words.includes(word)) return parameter('period');
  return bars[word] ?? parameter('period');
}

/** The start times of one page: rows older than `end` and newer than `begin`. */
function times(ask: Ask, market: Market, bar: Bar, most: number): number[] {
  const until = Math.min(ask.now, integer(ask, 'end', ask.now + 1) - 1);
  const from = Math.max(openOf(bar, market.listed), integer(ask, 'begin', 0) + 1);
  return opensUntil(bar, from, until, most).reverse();
}

const page = (ask: Ask) => count(ask, 'limit', 100, 100);

/** Rows that are kept of a currency. */
const currencyWords = ['5m', '1H', '1D'];
const keptRows = (ask: Ask): number =>
  ({ '5m': 576, '1H': 720, '1D': 180 })[ask.query.get('period') || '5m'] ?? 180;

/** The market that stands for a currency. */
function currencyMarket(ask: Ask, group: string, ending: string): Market {
  const id = `${required(ask, 'ccy')}${ending}`;
  return ask.model.market(venue, group, id, ask.now) ?? parameter('ccy');
}

const ratios = [
  list('$now ratioAccounts.16'),
  list('$now ratioTopAccounts.16'),
  list('$now ratioTopPositions.16'),
] as const;

/** `contracts/long-short-account-ratio?ccy=&period=`. */
export function accountRatio(ask: Ask) {
  const market = currencyMarket(ask, 'SWAP', '-USDT-SWAP');
  const opens = times(ask, market, barOf(ask, currencyWords), keptRows(ask));
  return ok(pointRows(ratios[0], market, { opens }, ask));
}

/** `…-top-trader?instId=&period=`: 1 by accounts, 2 by positions. */
export const topRatio = (of: 1 | 2) => (ask: Ask) => {
  const market = marketOf(ask);
  const opens = times(ask, market, barOf(ask), page(ask));
  return ok(pointRows(ratios[of], market, { opens }, ask));
};

/** Sold before bought, in the currency, in contracts or in dollars. */
const volumes = (['base', 'quantity', 'turnover'] as const).map((unit) => {
  const buy = ({ stretch }: Sight) =>
    stretch.quantity === 0 ? 0 : (stretch[unit] * stretch.bought) / stretch.quantity;
  const sell = (sight: Sight) => sight.stretch[unit] - buy(sight);
  return rowsWith({ buy, sell }).list('$now sell.8 buy.8');
});
const volumeOf = (unit: string) => volumes[Number(unit)] ?? parameter('unit');

/** `taker-volume-contract?instId=&period=&unit=`: 0 currency, 1 contracts, 2 dollars. */
export function contractVolume(ask: Ask) {
  const [market, bar] = [marketOf(ask), barOf(ask)];
  const unit = ask.query.get('unit') || '1';
  const opens = times(ask, market, bar, page(ask));
  return ok(pointRows(volumeOf(unit), market, { bar, opens }, ask));
}

/** `taker-volume?ccy=&instType=&period=`: in the currency. */
export function currencyVolume(ask: Ask) {
  const isSpot = required(ask, 'instType') === 'SPOT';
  const market = isSpot
    ? currencyMarket(ask, 'SPOT', '-USDT')
    : currencyMarket(ask, 'SWAP', '-USDT-SWAP');
  const bar = barOf(ask, currencyWords);
  const newest = Math.min(keptRows(ask), Math.floor((ask.now - market.listed) / day) * 288);
  const opens = times(ask, market, bar, newest);
  return ok(pointRows(volumeOf('0'), market, { bar, opens }, ask));
}

const interest = list('$now contracts.8 interest.8 interestValue');

/** `contracts/open-interest-history?instId=&period=`: contracts, base units, dollars. */
export function interestHistory(ask: Ask) {
  const market = marketOf(ask);
  const opens = times(ask, market, barOf(ask), page(ask));
  return ok(pointRows(interest, market, { opens }, ask));
}
