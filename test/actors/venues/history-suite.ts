/** The histories that a venue gives of its markets, over HTTP, against the simulated world. */
import type { Test } from 'tap';
import type { Asked, MarketQuery, MarketQueryName } from '../../../actors/sources/venue.ts';
import type {
  BasisPoint,
  FundingPoint,
  History,
  InterestPoint,
  LongShortPoint,
  Queries,
  TakerPoint,
} from '../../../actors/topics/index.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import { got, marketsOf, type Stage } from './stage.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Shares and lots have a few decimals on the wire. */
const isNear = (ours: number | null, truth: number, share = 1e-6): boolean =>
  ours !== null && Math.abs(ours - truth) <= share * Math.abs(truth);

/** What an exchange does not state: dollars of spot at OKX, coins of inverse contracts at HTX. */
const isUntold = ({ venue, kind, inverse }: Market, column: string): boolean =>
  (venue === 'okx' && kind === 'spot' && column.endsWith('usd')) ||
  (venue === 'htx' && inverse && column === 'base');

/** The interval of a point, as far as it has come, in the life of a market. */
interface Stretch {
  market: Market;
  start: number;
  end: number;
  of: number;
}

function funding({ timestamp, rate, hours }: FundingPoint, { market }: Stretch): boolean {
  const charged = Math.floor(timestamp / hour) * hour;
  const right = market.fundingRate(charged) / market.fundingHours;
  return hours !== null && Math.abs(rate / hours - right) < 1e-8;
}

/** When what a row states was so: as a rule when its interval opened. */
const times: Readonly<Record<string, (stretch: Stretch) => { counted: number; priced: number }>> = {
  // The last row of an interval, of which there is one a minute.
  bitfinex({ end }) {
    const last = Math.floor((end - 1) / minute) * minute;
    return { counted: last, priced: last };
  },
  // Of two hours the first one stands.
  kraken({ start, end }) {
    const close = Math.min(start + hour, end);
    return { counted: close, priced: close };
  },
  kucoin: ({ start, end }) => ({ counted: start, priced: Math.min(start + hour, end) }),
};

function interest({ base, usd }: InterestPoint, stretch: Stretch): boolean {
  const { market, start } = stretch;
  const { counted, priced } = times[market.venue]?.(stretch) ?? { counted: start, priced: start };
  const native = market.openInterest(counted);
  // A closing price has the decimals of the market.
  const value = native * market.exact(priced);
  const isBase = isUntold(market, 'base') ? base === null : isNear(base, native * market.scale);
  return isBase && isNear(usd, value, priced === start ? 1e-6 : 1e-4);
}

/** Marks and indices at the end of an interval; the simulated Bybit has those of its start. */
function prices({ mark, index }: BasisPoint, { market, start, end }: Stretch): boolean {
  const at = market.venue === 'bybit' ? start : end;
  const isRight = (ours: number | null, native: number) => isNear(ours, native / market.scale);
  return isRight(mark, market.exact(at)) && isRight(index, market.index(at));
}

const shares = ({ long, short }: LongShortPoint, { market, start, of }: Stretch): boolean => {
  const right = market.longShare(start, of);
  return isNear(long, right, 1e-3) && isNear(short, 1 - right, 1e-3);
};

/** What takers bought and sold from one time to another. */
function taken({ market, start, end }: Stretch): Omit<TakerPoint, 'timestamp' | 'closed'> {
  const { quantity, bought, base, turnover, close } = market.stretch(start, end);
  const share = bought / quantity;
  // Kraken states no dollars: the volume of an hour is valued at its close.
  const quote = market.venue === 'kraken' ? base * close : turnover;
  return {
    buy_base: base * market.scale * share,
    sell_base: base * market.scale * (1 - share),
    buy_usd: quote * share,
    sell_usd: quote * (1 - share),
  };
}

const sides = ['buy_base', 'sell_base', 'buy_usd', 'sell_usd'] as const;

function takers(point: TakerPoint, stretch: Stretch): boolean {
  const { market, start, end } = stretch;
  const hours = market.venue === 'kraken' ? Math.ceil((end - start) / hour) : 1;
  const parts = Array.from({ length: hours }, (_, i) =>
    taken({
      ...stretch,
      start: start + i * hour,
      end: hours === 1 ? end : Math.min(end, start + (i + 1) * hour),
    }),
  );
  return sides.every((key) => {
    if (isUntold(market, key)) return point[key] === null;
    const sum = parts.map((part) => part[key] ?? 0).reduce((a, b) => a + b);
    return isNear(point[key], sum, 1e-4);
  });
}

/** The answer to a query as the machinery finds it; null where the venue does not have it. */
async function answerOf<N extends MarketQueryName>(
  { world, venue }: Stage,
  query: MarketQuery<N> | undefined,
  asked: Asked<N>,
): Promise<Queries[N]['reply'] | null> {
  const page = query?.page?.(asked);
  if (!query || !page) return null;
  const whole = { ...asked, ...page, instrument: asked.instrument, now: asked.now };
  const bodies = await Promise.all(
    query.requests(whole).map(async (request) => {
      const result = await world.ask(venue, request, (body) => body);
      return got(result, `${venue.id} ${request.path}`).body;
    }),
  );
  const found = query.parse(bodies, whole, world.now);
  return query.slice?.(found, asked) ?? found;
}

const rows = 20;
const sorts = ['accounts', 'top_accounts', 'top_positions'] as const;
const lengths = { '1h': hour, '2h': 2 * hour };

/** Holds each point of an answer against what the market was at its time. */
function holds<P extends { timestamp: number }>(
  t: Test,
  about: { name: string; market: Market; now: number; length?: number; of?: number },
  answer: History<P> | null,
  isRight: (point: P, stretch: Stretch) => boolean,
): void {
  if (answer === null) return;
  const { name, market, now, length = hour, of = 0 } = about;
  const wrong = answer.points.filter((point) => {
    const start = point.timestamp;
    return !isRight(point, { market, start, end: Math.min(start + length, now), of });
  });
  t.strictSame(wrong, [], `${name} of ${market.id}`);
  t.not(answer.points.length, 0, `${name} of ${market.id}: some`);
}

/** Some rows of a market: the newest ones, or those up to a time. */
interface Wanted {
  part: string;
  market: Market;
  to?: number;
}

function askedOf(stage: Stage, { part, market, to }: Wanted) {
  const { now } = stage.world;
  const instrument = stage.parts.get(part)?.get(market.id);
  if (!instrument) throw new Error(`${market.id} is not listed`);
  return { market: market.id, part, instrument, now, limit: rows, ...(to && { to }) };
}

/** The marks and indices of a market, as far as the venue has them. */
async function walkBasis(t: Test, stage: Stage, wanted: Wanted): Promise<void> {
  const asked = askedOf(stage, wanted);
  for (const interval of ['1h', '2h'] as const) {
    const about = { market: wanted.market, now: asked.now, length: lengths[interval] };
    const bases = await answerOf(stage, stage.venue.queries.basisHistory, { ...asked, interval });
    holds(t, { name: `basis ${interval}`, ...about }, bases, prices);
  }
}

/** The newest rows of every history of a market or older ones, as far as the venue has it. */
async function walkMarket(t: Test, stage: Stage, wanted: Wanted): Promise<void> {
  const { market } = wanted;
  const asked = askedOf(stage, wanted);
  const { now } = asked;
  const { fundingHistory, openInterestHistory, longShort, takerVolume } = stage.venue.queries;
  const settled = await answerOf(stage, fundingHistory, asked);
  holds(t, { name: 'funding', market, now }, settled, funding);
  for (const interval of ['1h', '2h'] as const) {
    const series = { ...asked, interval };
    const about = { market, now, length: lengths[interval] };
    const interests = await answerOf(stage, openInterestHistory, series);
    holds(t, { name: `open interest ${interval}`, ...about }, interests, interest);
    const volumes = await answerOf(stage, takerVolume, series);
    holds(t, { name: `taker volume ${interval}`, ...about }, volumes, takers);
    for (const [of, sort] of sorts.entries()) {
      const ratios = await answerOf(stage, longShort, { ...series, of: sort });
      holds(t, { name: `${sort} ${interval}`, ...about, of }, ratios, shares);
    }
  }
}

/**
 * Every history of two perpetuals of a part, one of which has a multiple of the coin as its unit if there is any, and of a spot market;
 * the basis of a dated future too.
 */
export async function walkHistories(t: Test, stage: Stage, part: string): Promise<void> {
  const markets = marketsOf(stage, part);
  const perpetuals = markets.filter(({ kind }) => kind === 'perpetual');
  const [first, second] = perpetuals;
  const scaled = perpetuals.find(({ scale }) => scale > 1) ?? second;
  const spot = markets.find(({ kind }) => kind === 'spot');
  const { world, venue, parts } = stage;
  const dated = world.model
    .markets(venue.id, world.now)
    .find(({ id, expires }) => expires !== undefined && parts.get(part)?.has(id));
  const to = world.now - 40 * hour;
  for (const market of [first, scaled, spot].filter((one) => one !== undefined)) {
    await walkMarket(t, stage, { part, market });
    await walkMarket(t, stage, { part, market, to });
  }
  for (const market of [first, scaled, dated].filter((one) => one !== undefined)) {
    await walkBasis(t, stage, { part, market });
    await walkBasis(t, stage, { part, market, to });
  }
}
