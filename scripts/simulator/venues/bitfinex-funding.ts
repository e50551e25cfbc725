/** Bitfinex: the market in which margin is funded, and what is held on margin. */
import { annualRate } from '../market/borrowing.ts';
import type { Model } from '../model.ts';
import { seedOf, valueNoise } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { ownName } from './names.ts';

const venue = 'bitfinex';
const minute = 60_000;
const hour = 60 * minute;

const refuse = (message: string): never => {
  throw new Refused(500, ['error', 10_020, message]);
};
const round = (value: number, digits = 12) => Number(value.toPrecision(digits));

/** Assets that are lent, in the field's usual tickers. */
const assets = ['USD', 'USDT', 'USDC', 'BTC', 'ETH', 'SOL', 'XRP'];
const symbolOf = (asset: string) => `f${ownName(asset)}`;
const assetOf = (symbol: string) =>
  assets.find((asset) => symbolOf(asset) === symbol) ?? refuse('symbol: invalid');

/** Fraction a day. */
const dailyRate = (model: Model, asset: string, time: number) =>
  annualRate(model.seed, [venue, asset], time) / 365;

/** USD for one, at rest. */
const priceOf = ({ assets: all }: Model, asset: string) =>
  all.find(({ symbol }) => symbol === asset)?.price ?? 1;

/** What is offered, in the asset: a billion dollars and more. */
function provided(model: Model, asset: string, time: number): number {
  const moved = 1 + 0.2 * valueNoise(seedOf(model.seed, `provided ${asset}`), time / (72 * hour));
  return round((1.5e9 / priceOf(model, asset)) * moved);
}

const used = (model: Model, asset: string, time: number) =>
  round(
    provided(model, asset, time) *
      (0.75 + 0.15 * valueNoise(seedOf(model.seed, `used ${asset}`), time / (24 * hour))),
  );

/** Rows of `tickers` about funding: the return rate, bid, ask, change, last rate, volume, range, what is available. */
export const fundingTickers = ({ model, now }: Ask): unknown[][] =>
  assets.map((asset) => {
    const last = round(dailyRate(model, asset, now));
    const change = round(last - dailyRate(model, asset, now - 24 * hour));
    const volume = round(0.1 * provided(model, asset, now));
    return [
      ...[symbolOf(asset), round(last * 1.04), round(last * 0.96), 30, round(volume * 0.01)],
      ...[round(last * 0.99), 2, round(volume * 0.9), change, round(change / last), last, volume],
      ...[round(last * 1.05), round(last * 0.001), null, null, round(volume * 0.93)],
    ];
  });

/** Base units held on margin in a pair: longs a fifth of a day's turnover, shorts a fortieth. */
function positions(model: Model, [pair, side]: readonly [string, string], time: number): number {
  const market = model.market(venue, 'all', pair, time) ?? refuse('symbol: invalid');
  const part = side === 'long' ? 0.2 : side === 'short' ? 0.025 : refuse('side: invalid');
  const own = seedOf(model.seed, `margin ${pair} ${side}`);
  const moved =
    1 + 0.2 * valueNoise(own, time / (96 * hour)) + 0.02 * valueNoise(own ^ 1, time / hour);
  const { price, turnover } =
    model.assets.find(({ symbol }) => symbol === market.symbol) ?? refuse('symbol: invalid');
  return round((part * moved * turnover) / price);
}

/** What a key of `stats1` measures at a time. */
function measured(model: Model, [key, , symbol = '', more = '']: readonly string[]) {
  if (key === 'pos.size') return (time: number) => positions(model, [symbol, more], time);
  const asset = assetOf(symbol);
  if (key === 'funding.size') return (time: number) => provided(model, asset, time);
  if (key === 'credits.size') return (time: number) => used(model, asset, time);
  // A quarter of what is used is used in the pair.
  if (key === 'credits.size.sym') return (time: number) => round(used(model, asset, time) / 4);
  return refuse('key: invalid');
}

const sizes: Readonly<Record<string, number>> = { '1m': minute, '1h': hour };

function times({ query, now }: Ask, step: number): number[] {
  const number = (name: string, fallback: number) => Number(query.get(name) ?? fallback);
  const limit = Math.min(10_000, number('limit', 125));
  const newest = Math.floor(Math.min(now, number('end', now)) / step) * step;
  const all = Array.from({ length: limit }, (_, at) => newest - at * step);
  const found = all.filter((time) => time >= number('start', 0));
  return query.get('sort') === '1' ? found.reverse() : found;
}

/** `stats1/<key>:<size>:<symbol>[:<side or pair>]/<last or hist>`: `[ms, value]`, or a list of them, newest first. */
export function stats(ask: Ask): unknown {
  const words = (ask.query.get('key') ?? '').split(':');
  const section = ask.query.get('section');
  const step = sizes[words[1] ?? ''] ?? refuse('size: invalid');
  const value = measured(ask.model, words);
  if (section === 'hist') return times(ask, step).map((time) => [time, value(time)]);
  const last = Math.floor(ask.now / step) * step;
  return section === 'last' ? [last, value(last)] : refuse('section: invalid');
}

/** `funding/stats/<symbol>/hist`: rows of twelve, newest first; the rate is 1/365 of the daily one. */
export function fundingStats(ask: Ask): unknown[][] {
  const asset = assetOf(ask.query.get('symbol') ?? '');
  const { model } = ask;
  return times(ask, hour).map((time) => {
    const offered = provided(model, asset, time);
    const rate = round((dailyRate(model, asset, time) * 1.04) / 365, 6);
    return [
      ...[time, null, null, rate, 68.88, null, null, offered, used(model, asset, time)],
      ...[null, null, round(0.15 * offered)],
    ];
  });
}
