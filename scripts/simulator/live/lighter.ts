/** The statistics of all markets of Lighter, `market_stats/all` and `spot_market_stats/all`, sent every second. */
import { fixed, plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';

const venue = 'lighter';
const hour = 3_600_000;

const isSpot = ({ kind }: Market): boolean => kind === 'spot';

export function nameOf({ kind, symbol, quote, scale }: Market): string {
  if (kind === 'spot') return `${symbol}/${quote}`;
  return scale === 1 ? symbol : `${scale}${symbol}`;
}

/** JSON numbers, without the noise of their last bits. */
const number = (value: number, decimals: number) => Number(plain(value, decimals));

/** Rates of the next and of the last hour are fractions. */
function contract(market: Market, now: number): object {
  const { last, next } = market.fundingTimes(now);
  const rate = (time: number) => fixed(market.fundingRate(time) / market.fundingHours, 6);
  return {
    mark_price: fixed(market.exact(now), market.decimals),
    open_interest: fixed(market.openInterest(now), market.lot),
    open_interest_limit: '72057594037927936.000000',
    funding_clamp_small: '0.0500',
    funding_clamp_big: '4.0000',
    current_funding_rate: rate(next),
    funding_rate: rate(last),
    funding_timestamp: Math.floor(now / hour) * hour,
  };
}

function stats(market: Market, model: Model, now: number): object {
  const price = (value: number) => fixed(value, market.decimals);
  const day = model.last24h(market, now);
  return {
    symbol: nameOf(market),
    market_id: Number(market.id),
    index_price: price(market.index(now)),
    mid_price: price(market.exact(now)),
    last_trade_price: price(market.price(now)),
    ...(!isSpot(market) && contract(market, now)),
    daily_base_token_volume: number(day.quantity, market.lot),
    daily_quote_token_volume: number(day.turnover, 6),
    daily_price_low: number(day.low, market.decimals),
    daily_price_high: number(day.high, market.decimals),
    daily_price_change: (day.close / day.open - 1) * 100,
  };
}

const kinds = { 'market_stats/all': false, 'spot_market_stats/all': true } as const;

export const isStats = (channel: string): channel is keyof typeof kinds =>
  Object.hasOwn(kinds, channel);

/** What a channel tells: every market of its kind that trades. */
export function statsOf(
  channel: keyof typeof kinds,
  { model, now, first }: { model: Model; now: number; first: boolean },
): object {
  const name = channel.replace('/all', '');
  const rows = model
    .markets(venue, now)
    .filter((market) => isSpot(market) === kinds[channel] && market.state === 'live')
    .map((market) => [market.id, stats(market, model, now)]);
  return {
    channel: `${name}:all`,
    [name]: Object.fromEntries(rows),
    timestamp: now,
    type: `${first ? 'subscribed' : 'update'}/${name}`,
  };
}
