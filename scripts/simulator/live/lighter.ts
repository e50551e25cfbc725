/** The statistics of all markets of Lighter, `market_stats/all` and `spot_market_stats/all`, sent every second. */
import { fixed } from '../format.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import { rowsWith, type Sight } from '../rows.ts';

const venue = 'lighter';
const hour = 3_600_000;

const isSpot = ({ kind }: Market): boolean => kind === 'spot';

export function nameOf({ kind, symbol, quote, scale }: Market): string {
  if (kind === 'spot') return `${symbol}/${quote}`;
  return scale === 1 ? symbol : `${scale}${symbol}`;
}

/** An hour's part of a rate. */
const hourly =
  (at: 'next' | 'last') =>
  ({ market, funding }: Sight) =>
    market.fundingRate(funding[at]) / market.fundingHours;
const { row } = rowsWith({
  name: ({ market }) => nameOf(market),
  number: ({ market }) => Number(market.id),
  change: ({ stretch }) => (stretch.close / stretch.open - 1) * 100,
  hour: ({ now }) => Math.floor(now / hour) * hour,
  ...{ nextRate: hourly('next'), lastRate: hourly('last') },
  held: ({ market, interest }) => fixed(interest.base, market.lot),
});
const common = `
  symbol=name market_id=number index_price=index+0f mid_price=mark+0f last_trade_price=last+0f
  daily_base_token_volume=#quantity daily_quote_token_volume=#turnover.6 daily_price_low=#low
  daily_price_high=#high daily_price_change=change`;
const stats = {
  spot: row(common),
  /** Rates of the next and of the last hour are fractions. */
  perp: row(`
    ${common} mark_price=mark+0f open_interest=held
    open_interest_limit='72057594037927936.000000' funding_clamp_small='0.0500'
    funding_clamp_big='4.0000' current_funding_rate=nextRate.6f funding_rate=lastRate.6f
    funding_timestamp=hour`),
};

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
    .map((market) => [market.id, stats[isSpot(market) ? 'spot' : 'perp'](market, { model, now })]);
  return {
    channel: `${name}:all`,
    [name]: Object.fromEntries(rows),
    timestamp: now,
    type: `${first ? 'subscribed' : 'update'}/${name}`,
  };
}
