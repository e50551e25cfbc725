/**
 * Streams of events: what a frame costs beside `JSON.parse`, how long an event takes to `GET /v1/liquidations/orders` beside the
 * bus alone, and what 4,000 frames a second take of the feed process.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { createBus } from '../../actors/bus/bus.ts';
import { Counter } from '../../actors/sources/status/status.ts';
import { EachFold } from '../../actors/sources/streams/events.ts';
import { messageOf } from '../../actors/upstream/frames.ts';
import { EventStage } from '../load/event-stage.ts';
import { numberOf } from '../load/event-upstream.ts';
import { numbersRead, printFloors } from './floor.ts';
import { type FramesOf, framesOfStreams } from './frames.ts';
import { inTurns, percentile, printTable } from './report.ts';
import { usageOf } from './usage.ts';

const samples = 200;
/** Ms between two events that are measured. */
const pause = 30;
/** Frames a second, and for how many seconds. */
const flood = { rate: 4_000, seconds: 15, warmUp: 10 };

/** Reads frames as a stream's actor does. */
function read({ stream, instruments, frames }: FramesOf): void {
  const fold = new EachFold(stream.keyOf, new Counter());
  for (const { at: received, text } of frames) {
    if (stream.concerns && !stream.concerns(text)) continue;
    const message = messageOf(text);
    stream.reply?.(message);
    stream.acknowledges?.(message);
    const found = stream.parse(message, { received, instruments });
    if (found) fold.accept(found, received);
  }
  fold.remove(fold.waiting);
}

const parsed = ({ frames }: FramesOf): unknown[] => frames.map(({ text }) => JSON.parse(text));

async function benchFrames(): Promise<void> {
  const all = await framesOfStreams();
  const figures = all.map((one) => {
    const [alone, own] = inTurns([() => parsed(one), () => read(one)]);
    return { name: one.name, count: one.frames.length, alone, own };
  });
  const sum = (of: 'alone' | 'own') =>
    figures.reduce((whole, one) => whole + (one[of]?.ms ?? 0), 0);
  printTable(
    'Frames of liquidations, ten minutes of each stream: CPU time to JSON.parse of the same texts (goal 1.5). Ours: ' +
      'JSON.parse, all checks, the event, its key among those of ten minutes',
    [
      ['', 'JSON.parse, us', 'ours, us', 'ours'],
      ...figures.map(({ name, count, alone, own }) => [
        name,
        ((1_000 * (alone?.ms ?? 0)) / count).toFixed(2),
        ((1_000 * (own?.ms ?? 0)) / count).toFixed(2),
        own?.ratio ?? 0,
      ]),
      ['all', '', '', sum('own') / sum('alone')],
    ],
  );
  printFloors(
    all.map((one) => ({
      name: one.name,
      json: () => parsed(one),
      texts: () =>
        one.frames.flatMap(({ at: received, text }) =>
          numbersRead(messageOf(text), (message) =>
            one.stream.parse(message, { received, instruments: one.instruments }),
          ),
        ),
    })),
  );
}

/** From an event's frame to the first answer that has it, and from a publication to its follower, ms. */
async function ways({ upstream, url, redisUrl }: EventStage) {
  const bus = createBus({ url: redisUrl, process: 'bench' });
  let arrived = () => {};
  const following = bus.follow({ liquidations: (key) => key === 'bench/x' && arrived() });
  await following.ready;
  const dispatcher = new Agent({ connections: 1 });
  const newest = async () => {
    const { body } = await request(`${url}/v1/liquidations/orders?limit=1`, { dispatcher });
    const { data } = (await body.json()) as { data: { orders: { quantity_base: number }[] } };
    return numberOf(data.orders[0]?.quantity_base ?? 0);
  };
  const found = { orders: [] as number[], bus: [] as number[] };
  for (let at = 0; at < samples; at++) {
    const sent = performance.now();
    const number = upstream.send();
    // Asked every other millisecond: a client that takes a whole core would slow the processes that are measured.
    while ((await newest()) < number) await rest(2);
    found.orders.push(performance.now() - sent);
    await rest(pause);
    const { promise, resolve } = Promise.withResolvers<void>();
    arrived = resolve;
    const published = performance.now();
    const entry = { source: 'bench', part: 'x', at: Date.now(), since: null, events: [] };
    await bus.publish('liquidations', 'bench/x', entry);
    await promise;
    found.bus.push(performance.now() - published);
    await rest(pause);
  }
  await bus.close();
  await dispatcher.close();
  return found;
}

/** What a flood takes of the feed process beside what it takes at rest. */
async function flooded({ upstream, pidOf }: { upstream: EventStage['upstream']; pidOf: number }) {
  const measure = async (rate: number, seconds = flood.seconds) => {
    const before = usageOf(pidOf);
    const begun = performance.now();
    for (let sent = 0, passed = 0; passed < seconds; await rest(10)) {
      passed = (performance.now() - begun) / 1_000;
      for (const due = passed * rate; sent < due; sent++) upstream.send();
    }
    const after = usageOf(pidOf);
    const share = (100 * (after.seconds - before.seconds)) / seconds;
    return { share, megabytes: after.megabytes };
  };
  const quiet = await measure(0);
  // Until the compiler has made of the readers what runs in a process that is up for hours.
  await measure(flood.rate, flood.warmUp);
  return { rest: quiet, busy: await measure(flood.rate) };
}

export async function benchEvents(): Promise<void> {
  await benchFrames();
  const stage = new EventStage();
  try {
    await stage.begin();
    const { orders, bus } = await ways(stage);
    const row = (name: string, ms: readonly number[]) => [
      name,
      ...[0.5, 0.99].map((share) => percentile(ms, share).toFixed(1)),
    ];
    printTable(`From the frame to the answer, ${samples} events one by one (goal: p99 60 ms)`, [
      ['', 'p50 ms', 'p99 ms'],
      row('frame to GET /v1/liquidations/orders', orders),
      row('publication to follower, the bus alone', bus),
    ]);
    const { rest: idle, busy } = await flooded({
      upstream: stage.upstream,
      pidOf: stage.pidOf('feed') ?? 0,
    });
    printTable(`The feed process at ${flood.rate} frames a second, each of them an event`, [
      ['', '% of a core (goal 10)', 'MB (goal 120)'],
      ['at rest', idle.share.toFixed(1), idle.megabytes.toFixed(0)],
      ['flooded', busy.share.toFixed(1), busy.megabytes.toFixed(0)],
    ]);
  } finally {
    await stage.end();
  }
}
