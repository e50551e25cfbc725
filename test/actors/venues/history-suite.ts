/** The histories that a venue gives of its markets, over HTTP, against the simulated world. */
import type { Test } from 'tap';
import type { Asked, MarketQuery, MarketQueryName } from '../../../actors/sources/venue.ts';
import type {
  FundingPoint,
  History,
  InterestPoint,
  LongShortPoint,
  Queries,
  TakerPoint,
} from '../../../actors/topics/index.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import { got, marketsOf, type Stage } from './stage.ts';

const hour = 3_600_000;
const isNear = (a: number | null, b: number, share: number): boolean =>
  a === null || Math.abs(a - b) <= share * Math.abs(b) + 1e-9;

function funding({ timestamp, rate, hours }: FundingPoint, market: Market): string | null {
  const charged = Math.floor(timestamp / hour) * hour;
  const right = market.fundingRate(charged) / market.fundingHours;
  return hours !== null && Math.abs(rate / hours - right) < 1e-8 ? null : `${rate} of ${hours}`;
}

/** Of some exchanges the row of an interval is that of its end. */
function interest({ timestamp, base, usd }: InterestPoint, market: Market): string | null {
  const native = market.openInterest(timestamp);
  const right =
    isNear(base, native * market.scale, 0.25) &&
    isNear(usd, native * market.exact(timestamp), 0.25);
  return right ? null : `${base} ${usd}`;
}

const shares = ({ long, short }: LongShortPoint): string | null =>
  long > 0.2 && long < 0.8 && Math.abs(long + short - 1) < 1e-6 ? null : `${long} ${short}`;

function takers(point: TakerPoint, market: Market, now: number): string | null {
  const { timestamp } = point;
  const { quantity, bought, base, turnover } = market.stretch(
    timestamp,
    Math.min(now, timestamp + hour),
  );
  const share = bought / quantity;
  const right =
    isNear(point.buy_base, base * market.scale * share, 0.05) &&
    isNear(point.sell_base, base * market.scale * (1 - share), 0.05) &&
    isNear(point.buy_usd, turnover * share, 0.05);
  return right ? null : JSON.stringify(point);
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

/** Every history of two perpetuals of a part, one of which has a multiple of the coin as its unit if there is any, as far as the venue has it: the newest rows and older ones. */
export async function walkHistories(t: Test, stage: Stage, part: string): Promise<void> {
  const { world, parts } = stage;
  const { fundingHistory, openInterestHistory, longShort, takerVolume } = stage.venue.queries;
  const perpetuals = marketsOf(stage, part).filter(({ kind }) => kind === 'perpetual');
  const [first, second] = perpetuals;
  const scaled = perpetuals.find(({ scale }) => scale > 1) ?? second;
  for (const market of [first, scaled].filter((one) => one !== undefined)) {
    const instrument = parts.get(part)?.get(market.id);
    if (!instrument) throw new Error(`${market.id} is not listed`);
    const about = { ...{ market: market.id, part, instrument, now: world.now }, limit: rows };
    for (const asked of [about, { ...about, to: world.now - 40 * hour }]) {
      const series = { ...asked, interval: '1h' as const };
      const ratios = { ...series, of: 'accounts' as const };
      const hold = <P extends { timestamp: number }>(
        name: string,
        answer: History<P> | null,
        check: (point: P, market: Market, now: number) => string | null,
      ) => {
        if (answer === null) return;
        const wrong = answer.points.flatMap((point) => check(point, market, world.now) ?? []);
        const what = `${name} of ${market.id}, ${asked === about ? 'the newest' : 'older ones'}`;
        t.strictSame(wrong, [], what);
        t.not(answer.points.length, 0, `${what}: some`);
      };
      hold('funding', await answerOf(stage, fundingHistory, asked), funding);
      hold('open interest', await answerOf(stage, openInterestHistory, series), interest);
      hold('accounts', await answerOf(stage, longShort, ratios), shares);
      hold('taker volume', await answerOf(stage, takerVolume, series), takers);
    }
  }
}
