/**
 * The front against bare uWebSockets.js, nginx and Fastify with Redis, in turns, loaded from another process. What
 * counts is processor time: where load generator and server share a processor, requests a second measure both.
 */
import { benchMany } from './front-many.ts';
import { load } from './load.ts';
import { median, printTable } from './report.ts';
import { answerOf, type Ours, type Running, startOurs, startReference } from './servers.ts';
import { Stage } from './stage.ts';
import { costRatio, loadAll, type Run, ratioOf, rounds, seconds } from './turns.ts';

const path = '/v1/prices?symbol=BTC';

/** One symbol: what a request costs, whatever the answer. */
async function benchOne(ours: Ours, references: [string, Running][], bytes: number): Promise<void> {
  const { base, pid, key, usedUp } = ours;
  const url = base + path;
  const etag = (await fetch(url, { headers: key })).headers.get('etag') ?? '';
  const own = { url, pid };
  const runs: Run[] = [
    { ...own, name: 'Tidemark, key and quota', headers: key },
    ...references.map(([name, at]) => ({ name, url: at.base + path, pid: at.pid, headers: key })),
    { ...own, name: 'Tidemark, gzip', headers: { ...key, 'accept-encoding': 'gzip' } },
    { ...own, name: 'Tidemark, 304', headers: { ...key, 'if-none-match': etag } },
    { ...own, name: 'Tidemark, 401 (no key)', refused: true },
    { ...own, name: 'Tidemark, 401 (malformed key)', headers: { 'x-api-key': 'x' }, refused: true },
    { name: 'Tidemark, 404', url: `${base}/v1/nothing`, pid, headers: key, refused: true },
    { ...own, name: 'Tidemark, 429', headers: usedUp, refused: true },
  ];
  const loads = await loadAll(runs);
  const rows = runs.map(({ name, refused }, i) => {
    const its = loads[i] ?? [];
    const outcome = { ours: loads[0] ?? [], its };
    return [
      name,
      ratioOf(outcome, 'perSecond'),
      1 / costRatio(outcome),
      refused ? '-' : median(its.map(({ errors }) => errors)),
    ];
  });
  printTable(`${path}, ${bytes} bytes, 40 connections: Tidemark's 200 to each, ${rounds} rounds`, [
    ['', 'by requests/s', 'by CPU time', 'errors'],
    ...rows,
  ]);
}

/** Connections that pause are many, so that their pauses set the pace and not the server. */
const paused = { connections: 200, least: 2 };

/** The most that timing the answers may add to the processor time of a request. */
const timingGoal = 0.02;
/** Turns of either server in each round: the difference is small. */
const timingTurns = 4;

/**
 * What counting answers with their latencies costs: one process with and without it, in turns, since two processes of the
 * same code differ by as much as is asked for here.
 */
async function benchTiming({ base, pid, key, count }: Ours): Promise<void> {
  const pair: Run[] = [true, false].map((on) => ({
    ...{ name: '', url: base + path, pid, headers: key },
    prepare: () => count(on),
  }));
  const loads = await loadAll(Array.from({ length: timingTurns }, () => pair).flat());
  count(true);
  const of = (half: number) => loads.filter((_, i) => i % pair.length === half).flat();
  printTable(`${path}: Tidemark beside itself without counts and latencies by route`, [
    ['', 'cost (CPU)', 'goal: at most'],
    ['Tidemark', costRatio({ ours: of(0), its: of(1) }), 1 + timingGoal],
  ]);
}

/** Latency at half of what our server can do, both servers at the same pace. */
async function benchLatency({ base, pid, key }: Ours, bare: Running): Promise<void> {
  const most = await load(base + path, { headers: key, seconds });
  const pauseMs = Math.max(
    paused.least,
    Math.round((1000 * paused.connections) / (most.perSecond / 2)),
  );
  const pace = { headers: key, pauseMs, connections: paused.connections };
  const runs: Run[] = [
    { ...pace, name: 'Tidemark', url: base + path, pid },
    { ...pace, name: 'bare uWebSockets.js', url: bare.base + path, pid: bare.pid },
  ];
  const loads = await loadAll(runs);
  const rows = runs.map(({ name }, i) => {
    const its = loads[i] ?? [];
    return [
      name,
      median(its.map(({ perSecond }) => perSecond / most.perSecond)),
      ratioOf({ ours: loads[0] ?? [], its }, 'p50Ms'),
      ratioOf({ ours: loads[0] ?? [], its }, 'p99Ms'),
    ];
  });
  printTable(`${path} at half of the maximum load: Tidemark's latency to each`, [
    ['', 'share of the maximum', 'p50', 'p99'],
    ...rows,
  ]);
}

/** The map of all symbols, plain and compressed. */
async function benchMap(stage: Stage, { base, pid, key }: Ours): Promise<void> {
  const answer = await answerOf(stage, { base, key }, '/v1/prices');
  const bare = await startReference(stage, 'uws', answer);
  const url = `${base}/v1/prices`;
  const encodings = ['gzip', 'br', 'zstd'];
  const sizes: number[] = [answer.body.length, answer.body.length];
  for (const encoding of encodings) {
    const reply = await fetch(url, { headers: { ...key, 'accept-encoding': encoding } });
    sizes.push(Number(reply.headers.get('content-length')));
    await reply.body?.cancel();
  }
  const runs: Run[] = [
    { name: 'Tidemark', url, pid, headers: key },
    { name: 'bare uWebSockets.js, same ready buffer', url, pid: bare.pid, headers: key },
    ...encodings.map((encoding) => ({
      ...{ name: `Tidemark, ${encoding}`, url, pid },
      headers: { ...key, 'accept-encoding': encoding },
    })),
  ].map((run) => (run.pid === bare.pid ? { ...run, url: `${bare.base}/v1/prices` } : run));
  const loads = await loadAll(runs);
  const rows = runs.map(({ name }, i) => {
    const outcome = { ours: loads[0] ?? [], its: loads[i] ?? [] };
    const share = (sizes[i] ?? 0) / answer.body.length;
    return [name, share, ratioOf(outcome, 'perSecond'), costRatio(outcome)];
  });
  printTable(`/v1/prices, ${answer.body.length} bytes: Tidemark's plain map to each`, [
    ['', 'share of the bytes', 'by requests/s', 'cost (CPU) to it'],
    ...rows,
  ]);
}

/** Prints how the front compares; ratios of the same run only. */
export async function benchFront(): Promise<void> {
  const stage = new Stage();
  try {
    const ours = await startOurs(stage);
    await benchMany(stage, ours);
    const answer = await answerOf(stage, ours, path);
    const bare = await startReference(stage, 'uws', answer);
    await benchOne(
      ours,
      [
        ['bare uWebSockets.js, same head and body', bare],
        ['bare uWebSockets.js, same body only', await startReference(stage, 'bare', answer)],
        ['nginx, the body from a file', await startReference(stage, 'nginx', answer)],
        ['Fastify reading the body from Redis', await startReference(stage, 'redis', answer)],
      ],
      answer.body.length,
    );
    await benchTiming(ours);
    await benchLatency(ours, bare);
    await benchMap(stage, ours);
  } finally {
    await stage.end();
  }
}
