/** Trading statistics of OKX (`rubik`): rows of strings, newest first. */
import { type Bar, nextOpen, openOf, opensUntil } from '../calendar.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { bars, count, integer, marketOf, ok, parameter, required } from './okx-answers.ts';

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

const ratioRow = (market: Market, time: number, of: number): string[] => {
  const long = market.longShare(time, of);
  return [String(time), plain(long / (1 - long), 16)];
};

/** `contracts/long-short-account-ratio?ccy=&period=`. */
export function accountRatio(ask: Ask) {
  const market = currencyMarket(ask, 'SWAP', '-USDT-SWAP');
  const bar = barOf(ask, currencyWords);
  return ok(times(ask, market, bar, keptRows(ask)).map((time) => ratioRow(market, time, 0)));
}

/** `…-top-trader?instId=&period=`: 1 by accounts, 2 by positions. */
export const topRatio = (of: 1 | 2) => (ask: Ask) => {
  const market = marketOf(ask);
  return ok(times(ask, market, barOf(ask), page(ask)).map((time) => ratioRow(market, time, of)));
};

/** Sold before bought. */
function volumeRow(
  market: Market,
  time: number,
  { bar, unit, now }: { bar: Bar; unit: string; now: number },
) {
  const { quantity, bought, base, turnover } = market.stretch(
    time,
    Math.min(now, nextOpen(bar, time)),
  );
  const total = { 0: base, 1: quantity, 2: turnover }[unit] ?? parameter('unit');
  const buy = quantity === 0 ? 0 : (total * bought) / quantity;
  return [String(time), plain(total - buy, 8), plain(buy, 8)];
}

/** `taker-volume-contract?instId=&period=&unit=`: 0 currency, 1 contracts, 2 dollars. */
export function contractVolume(ask: Ask) {
  const [market, bar] = [marketOf(ask), barOf(ask)];
  const unit = ask.query.get('unit') || '1';
  const form = { bar, unit, now: ask.now };
  return ok(times(ask, market, bar, page(ask)).map((time) => volumeRow(market, time, form)));
}

/** `taker-volume?ccy=&instType=&period=`: in the currency. */
export function currencyVolume(ask: Ask) {
  const isSpot = required(ask, 'instType') === 'SPOT';
  const market = isSpot
    ? currencyMarket(ask, 'SPOT', '-USDT')
    : currencyMarket(ask, 'SWAP', '-USDT-SWAP');
  const form = { bar: barOf(ask, currencyWords), unit: '0', now: ask.now };
  const newest = Math.min(keptRows(ask), Math.floor((ask.now - market.listed) / day) * 288);
  return ok(times(ask, market, form.bar, newest).map((time) => volumeRow(market, time, form)));
}

/** `contracts/open-interest-history?instId=&period=`: contracts, base units, dollars. */
export function interestHistory(ask: Ask) {
  const [market, bar] = [marketOf(ask), barOf(ask)];
  return ok(
    times(ask, market, bar, page(ask)).map((time) => {
      const base = market.openInterest(time);
      const value = base * market.exact(time);
      const contracts = (market.inverse ? value : base) / market.contract;
      return [String(time), plain(contracts, 8), plain(base, 8), plain(value, 8)];
    }),
  );
}
