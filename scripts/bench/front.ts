/**
 * The front against bare uWebSockets.js, in turns, loaded from another process. What counts is processor time: where
 * load generator and server share a processor, requests a second measure both.
 */
import { loadAll, type Run, ratioOf, rounds } from './load.ts';
import { median, printTable } from './report.ts';
import { benchBesideBare, type Ours, startBare, startOurs } from './servers.ts';
import { answered, keyOf, onStage, type Stage } from './stage.ts';

const map = '/v1/prices';
const path = `${map}?symbol=BTC`;
/** Accounts with limits of their own, and symbols that are asked for in turn. */
const many = { accounts: 100, symbols: 1_000 };

/** One request again and again, those of many accounts, those of many symbols, and a large answer. */
async function benchMixes(stage: Stage, ours: Ours): Promise<void> {
  const { key, redisUrl } = ours;
  const keys: string[] = [];
  for (let i = 0; i < many.accounts; i++) keys.push(await keyOf(redisUrl, `other-${i}`, 'heavy'));
  const symbols = Array.from({ length: many.symbols }, (_, i) => `${map}?symbol=C${i}`);
  const mixes = [
    { name: '1 account, 1 symbol', requests: [{ path, key }] },
    { name: `${many.accounts} accounts`, requests: keys.map((other) => ({ path, key: other })) },
    { name: `${many.symbols} symbols`, requests: symbols.map((one) => ({ path: one, key })) },
    { name: 'all symbols', requests: [{ path: map, key }] },
  ];
  await benchBesideBare(stage, ours, { title: map, goal: 0.9, mixes });
}

/** Answers of other kinds beside a plain answer. */
async function benchKinds({ base, pid, key: plain, redisUrl }: Ours): Promise<void> {
  const key = { 'x-api-key': plain };
  const url = base + path;
  const first = await answered(url, { headers: key });
  const etag = first.headers.get('etag') ?? '';
  const body = await first.text();
  const usedUp = { 'x-api-key': await keyOf(redisUrl, 'light', 'free') };
  for (let i = 0; i < 61; i++) await (await fetch(url, { headers: usedUp })).body?.cancel();
  const own = { url, pid };
  const runs: Run[] = [
    { ...own, name: 'Tidemark, key and quota', headers: key },
    { ...own, name: 'Tidemark, gzip', headers: { ...key, 'accept-encoding': 'gzip' } },
    { ...own, name: 'Tidemark, 304', headers: { ...key, 'if-none-match': etag } },
    { ...own, name: 'Tidemark, 401' },
    { ...own, name: 'Tidemark, 429', headers: usedUp },
  ];
  const loads = await loadAll(runs);
  const rows = runs.map(({ name }, i) => [
    name,
    ratioOf(loads[0], loads[i], 'perSecond'),
    1 / ratioOf(loads[0], loads[i]),
  ]);
  printTable(
    `${path}, ${Buffer.byteLength(body)} bytes: Tidemark's 200 to each, ${rounds} rounds`,
    [['', 'by requests/s', 'by CPU time'], ...rows],
  );
}

/** Connections that pause are many, so that their pauses set the pace and not the server. */
const paused = { connections: 200, least: 2 };

/** Latency at half of what our server can do, both servers at the same pace. */
async function benchLatency(stage: Stage, ours: Ours): Promise<void> {
  const headers = { 'x-api-key': ours.key };
  const own = { name: 'Tidemark', url: ours.base + path, pid: ours.pid, headers };
  const bare = await startBare(stage, ours, [{ path, key: ours.key }]);
  const [alone = []] = await loadAll([own]);
  const most = median(alone.map(({ perSecond }) => perSecond));
  const pauseMs = Math.max(paused.least, Math.round((1_000 * paused.connections) / (most / 2)));
  const pace = { pauseMs, connections: paused.connections };
  const [its = [], theirs = []] = await loadAll([
    { ...own, ...pace },
    { ...own, ...pace, url: bare.url, pid: bare.pid },
  ]);
  const share = median(its.map(({ perSecond }) => perSecond / most));
  printTable(`${path} at ${share.toFixed(2)} of our maximum load: Tidemark's latency to bare`, [
    ['p50', 'p99'],
    [ratioOf(its, theirs, 'p50Ms'), ratioOf(its, theirs, 'p99Ms')],
  ]);
}

/** Prints how the front compares; ratios of the same run only. */
export const benchFront = (): Promise<void> =>
  onStage(async (stage) => {
    const ours = await startOurs(stage);
    await benchMixes(stage, ours);
    await benchKinds(ours);
    await benchLatency(stage, ours);
  });
