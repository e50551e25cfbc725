/** Questions to exchanges: warm answers, cold ones, and parsing what exchanges send. */
import { Agent, request } from 'undici';
import { list } from '../../actors/read.ts';
import type { InstrumentMap } from '../../actors/sources/define.ts';
import type { Asked, MarketQuery, MarketQueryName, Venue } from '../../actors/sources/venue.ts';
import { jsonIn } from '../../actors/upstream/json.ts';
import { venues } from '../../actors/venues/registry.ts';
import { startSimulator } from '../simulator/main.ts';
import { openChain } from './chain.ts';
import { numbersRead, printFloors, type Sample } from './floor.ts';
import { inTurns, median, percentile, printTable, received } from './report.ts';
import { benchBesideBare, type Ours, startBybit } from './servers.ts';
import { Stage } from './stage.ts';
import { ask } from './venues.ts';

const hour = 3_600_000;
const now = Date.now();
/** Smaller bodies say little. */
const fewestBytes = 8 * 1024;
/** Times JSON.parse. */
const goal = 1.5;

/** The first dollar perpetual of Bitcoin on a venue. */
async function bitcoinOf(venue: Venue, gateway: string) {
  const instruments: InstrumentMap = new Map();
  for (const [part, list] of Object.entries(venue.feeds.instruments.parts)) {
    const bodies = (await ask(venue, gateway, list.requests({ markets: [], now }))).map(
      (text): unknown => JSON.parse(text),
    );
    const { rows } = list.parse(bodies, { received: now, instruments }).instruments;
    const instrument = rows.find(
      ({ kind, symbol, inverse }) => kind === 'perpetual' && symbol === 'BTC' && !inverse,
    );
    if (instrument) return { part, instrument };
  }
  return null;
}

/** What an exchange sends, and the ways to parse it. */
interface Body extends Sample {
  size: number;
  ours(): unknown;
  /** JSON.parse with the check for what takes far more memory than its text. */
  checked(): unknown;
}

/** The largest page of one query; nothing where the exchange does not have it, or sends little. */
async function bodyOf<N extends MarketQueryName, Page>(
  { venue, gateway, history }: { venue: Venue; gateway: string; history: string },
  query: MarketQuery<N, Page> | undefined,
  asked: Asked<N>,
): Promise<Body[]> {
  const page = query?.page?.(asked);
  if (!query || !page) return [];
  const { market, part, instrument } = asked;
  const whole = { ...asked, ...page, market, part, instrument, now };
  const texts = (await ask(venue, gateway, query.requests(whole))).map(received);
  const size = texts.reduce((sum, { length }) => sum + length, 0);
  if (size < fewestBytes) return [];
  const json = () => texts.map((text): unknown => JSON.parse(text));
  const name = `${venue.id} ${history}`;
  const ours = () => query.parse(json(), whole, now);
  const read = (bodies: unknown) => query.parse(list(bodies, name), whole, now);
  const checked = () => texts.map((text) => jsonIn(text));
  return [{ name, size, json, ours, checked, texts: () => numbersRead(json(), read) }];
}

/** Those of all histories of a venue. */
async function bodiesOf(venue: Venue, gateway: string): Promise<Body[]> {
  const { longShort, takerVolume, takerCandles, openInterestHistory, fundingHistory } =
    venue.queries;
  const some = [longShort, takerVolume, takerCandles, openInterestHistory, fundingHistory];
  const found = some.some((query) => query) ? await bitcoinOf(venue, gateway) : null;
  if (!found) return [];
  const asked = {
    ...{ ...found, market: found.instrument.market, now },
    ...({ interval: '1h', limit: 500, of: 'accounts' } as const),
  };
  const at = (history: string) => ({ venue, gateway, history });
  return [
    ...(await bodyOf(at('long and short'), longShort, asked)),
    ...(await bodyOf(at('taker volume'), takerVolume, asked)),
    ...(await bodyOf(at('taker candles'), takerCandles, asked)),
    ...(await bodyOf(at('open interest'), openInterestHistory, asked)),
    ...(await bodyOf(at('fundings'), fundingHistory, asked)),
  ];
}

async function benchParsing(): Promise<void> {
  const simulator = await startSimulator({ symbols: 12 });
  const bodies: Body[] = [];
  try {
    for (const venue of Object.values<Venue>(venues)) {
      bodies.push(...(await bodiesOf(venue, simulator.url)));
    }
  } finally {
    await simulator.close();
  }
  const rows = bodies.map(({ name, size, json, ours, checked }) => {
    const [alone, own, whole] = inTurns([json, ours, checked]);
    const ratios = [own, whole].map((one) => one?.ratio ?? 0);
    return [name, String(Math.round(size / 1024)), alone?.ms ?? 0, ...ratios];
  });
  const missed = rows.filter(([, , , ours = 0]) => Number(ours) > goal);
  printTable(
    'Histories of exchanges: CPU time to JSON.parse of the same texts (goal 1.5). Ours: JSON.parse, all checks of all rows, ' +
      'the points in order. Beside it: JSON.parse with the check of nesting alone',
    [['', 'KB', 'JSON.parse ms', 'ours', 'checked'], ...rows],
  );
  console.log(`  ${missed.length} of ${rows.length} above the goal`);
  printFloors(bodies);
}

const cold = { questions: 150, warmUp: 20 };
const fundings = '/v1/analytics/bybit/funding-history?symbol=BTC';

async function took(url: string, options: Parameters<typeof request>[1]): Promise<number> {
  const since = performance.now();
  const { statusCode, body } = await request(url, options);
  await body.arrayBuffer();
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`);
  return performance.now() - since;
}

/** Questions that are not in any cache, the calls that they cause, and these calls over bare streams, in turns. */
async function benchCold({ base, key }: Ours, gateway: string, redisUrl: string) {
  const dispatcher = new Agent({ connections: 1 });
  const chain = await openChain(redisUrl, dispatcher);
  const samples = { ours: [] as number[], bare: [] as number[], chain: [] as number[] };
  const path = '/api.bybit.com/v5/market/funding/history?category=linear&symbol=BTCUSDT&limit=200';
  for (let i = 0; i < cold.questions + cold.warmUp; i++) {
    const to = now - (i + 1) * 8 * hour;
    const ours = await took(`${base}${fundings}&limit=200&to=${to}`, { dispatcher, headers: key });
    const bare = await took(`${gateway}${path}&endTime=${to - 4 * hour}`, { dispatcher });
    const since = performance.now();
    // Not one that the simulator has just answered, and keeps for a second.
    await chain.ask(`${gateway}${path}&endTime=${to - 2 * hour}`);
    const streams = performance.now() - since;
    if (i < cold.warmUp) continue;
    samples.chain.push(streams);
    samples.ours.push(ours);
    samples.bare.push(bare);
    // The exchange allows 400 requests in 5 s.
    await new Promise((done) => setTimeout(done, 20));
  }
  await chain.close();
  await dispatcher.close();
  const ours = median(samples.ours);
  const bare = median(samples.bare);
  const floor = median(samples.chain);
  printTable(
    `Cold: ${cold.questions} questions, one after the other (goal: 1.2 x upstream + 1 ms)`,
    [
      ['', 'median ms', 'p90 ms', 'less 1.2 x upstream, ms'],
      ['answer', ours, percentile(samples.ours, 0.9), ours - 1.2 * bare],
      ['upstream call', bare, percentile(samples.bare, 0.9), '-'],
      [
        'upstream call over bare streams',
        floor,
        percentile(samples.chain, 0.9),
        floor - 1.2 * bare,
      ],
    ],
  );
}

/** Prints all of it. */
export async function benchQueries(): Promise<void> {
  await benchParsing();
  const stage = new Stage();
  try {
    const { ours, gateway } = await startBybit(stage);
    const paths = [`${fundings}&limit=20`, `${fundings}&limit=200`];
    await benchBesideBare(stage, ours, { title: 'Warm', goal: 0.85, paths });
    await benchCold(ours, gateway, stage.redisUrl);
  } finally {
    await stage.end();
  }
}
