/** Questions to exchanges: warm answers, cold ones, and parsing what exchanges send. */
import { Agent, request } from 'undici';
import type { InstrumentMap } from '../../actors/sources/define.ts';
import type { Asked, MarketQuery, MarketQueryName } from '../../actors/sources/queries/forms.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import type { UpstreamRequest } from '../../actors/upstream/request.ts';
import { venues } from '../../actors/venues/registry.ts';
import { startSimulator } from '../simulator/main.ts';
import { inTurns, median, percentile, printTable, received } from './report.ts';
import { benchBesideBare, type Ours, startBybit } from './servers.ts';
import { answered, onStage, type Stage } from './stage.ts';

const hour = 3_600_000;
const now = Date.now();
/** Smaller bodies say little. */
const fewestBytes = 8 * 1024;
/** Times JSON.parse. */
const goal = 1.5;

/** The text of each answer, in the order of the requests. */
function ask(venue: Venue, gateway: string, requests: readonly UpstreamRequest[]) {
  return Promise.all(
    requests.map(async ({ api, path, query, method = 'GET', body }) => {
      const host = venue.apis[api]?.hosts[0] ?? '';
      const url = new URL(`${gateway}/${host.replace(/^https?:\/\//, '')}${path}`);
      for (const [name, value] of Object.entries(query ?? {}))
        url.searchParams.set(name, String(value));
      const headers = { 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers };
      return (await fetch(url, { method, ...sent })).text();
    }),
  );
}

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
interface Body {
  name: string;
  size: number;
  /** JSON.parse of all of it. */
  json(): unknown;
  ours(): unknown;
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
  const ours = () => query.parse(json(), whole, now);
  return [{ name: `${venue.id} ${history}`, size, json, ours }];
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
  const rows = bodies.map(({ name, size, json, ours }) => {
    const [alone, own] = inTurns([json, ours]);
    return [name, String(Math.round(size / 1024)), alone?.ms ?? 0, own?.ratio ?? 0];
  });
  const missed = rows.filter(([, , , ours = 0]) => Number(ours) > goal);
  printTable(
    'Histories of exchanges: CPU time to JSON.parse of the same texts (goal 1.5). Ours: JSON.parse, all checks of all rows, ' +
      'the points in order',
    [['', 'KB', 'JSON.parse ms', 'ours'], ...rows],
  );
  console.log(`  ${missed.length} of ${rows.length} above the goal`);
}

const cold = { questions: 150, warmUp: 50 };
const fundings = '/v1/analytics/bybit/funding-history?symbol=BTC';
const page = '/api.bybit.com/v5/market/funding/history?category=linear&symbol=BTCUSDT&limit=200';

async function took(url: string, options: Parameters<typeof request>[1]): Promise<number> {
  const since = performance.now();
  const { statusCode, body } = await request(url, options);
  await body.arrayBuffer();
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`);
  return performance.now() - since;
}

/** Starts two processes that answer with what the exchange sends. */
async function startBareWay(stage: Stage, { redisUrl }: Ours, gateway: string): Promise<string> {
  const port = await stage.port();
  stage.run('scripts/bench/bare-way.ts', ['web', `${port}`, redisUrl]);
  stage.run('scripts/bench/bare-way.ts', ['feed', gateway, redisUrl]);
  const url = `http://127.0.0.1:${port}`;
  await answered(`${url}${page}`);
  return url;
}

/** Questions that are not in any cache, the same by bare streams, and the calls that both cause, in turns. */
async function benchCold(stage: Stage, ours: Ours, gateway: string) {
  const bare = await startBareWay(stage, ours, gateway);
  const dispatcher = new Agent({ connections: 3 });
  const headers = { 'x-api-key': ours.key };
  const samples = { ours: [] as number[], bare: [] as number[], call: [] as number[] };
  for (let i = -cold.warmUp; i < cold.questions; i++) {
    const to = now - (i + cold.warmUp + 1) * 8 * hour;
    // Each another page: the simulator keeps what it has just answered for a second.
    const pageTo = (hours: number) => `${page}&endTime=${to - hours * hour}`;
    const own = await took(`${ours.base}${fundings}&limit=200&to=${to}`, { dispatcher, headers });
    const its = await took(`${bare}${pageTo(2)}`, { dispatcher });
    const call = await took(`${gateway}${pageTo(4)}`, { dispatcher });
    // The exchange allows 400 requests in 5 s.
    await new Promise((done) => setTimeout(done, 20));
    if (i < 0) continue;
    samples.ours.push(own);
    samples.bare.push(its);
    samples.call.push(call);
  }
  await dispatcher.close();
  const figures = [median, (all: readonly number[]) => percentile(all, 0.1)];
  const row = (name: string, own: readonly number[]) => [
    ...[name, ...figures.map((of) => of(own)), percentile(own, 0.9)],
    ...figures.map((of) => of(own) - 1.2 * of(samples.call)),
  ];
  printTable(
    `Cold: ${cold.questions} questions, one after the other, ms (goal: 2 ms above 1.2 x the upstream call). Where other work takes the ` +
      'processors, the tenth of the questions that waited least says more',
    [
      ['', 'median', 'p10', 'p90', 'median less 1.2 x upstream', 'p10 less 1.2 x upstream'],
      row('answer', samples.ours),
      row('bare uWebSockets.js and streams', samples.bare),
      row('upstream call', samples.call),
    ],
  );
}

/** Prints all of it. */
export async function benchQueries(): Promise<void> {
  await benchParsing();
  await onStage(async (stage) => {
    const { ours, gateway } = await startBybit(stage);
    const { key } = ours;
    const mixes = [20, 200].map((limit) => {
      const path = `${fundings}&limit=${limit}`;
      return { name: path, requests: [{ path, key }] };
    });
    await benchBesideBare(stage, ours, { title: 'Warm', goal: 0.85, mixes });
    await benchCold(stage, ours, gateway);
  });
}
