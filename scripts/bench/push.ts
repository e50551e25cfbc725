/** Streams beside bare uWebSockets.js that publishes the same bytes. */
import type { ChildProcess } from 'node:child_process';
import { execSync } from 'node:child_process';
import { once } from 'node:events';
import { cpuOf } from './load.ts';
import { median, percentile, printTable } from './report.ts';
import { onStage, type Stage } from './stage.ts';

/** Changes of one measurement, and of the warm-up before it. */
const rounds = { measured: 60, warmUp: 15 } as const;
const wanted = 10_000;
/** Files that a process may have open, and that it needs itself. */
const files = Number(execSync('ulimit -n', { shell: '/bin/sh' }).toString()) || 1_024;
const clients = Math.min(wanted, files - 256);

interface Said {
  at?: string;
  rss?: number;
  text?: string;
}

/** The next message of a child. */
async function next(child: ChildProcess): Promise<Said> {
  const [message] = await once(child, 'message');
  return message as Said;
}

/** A server with its clients. */
class Side {
  readonly #server: ChildProcess;
  readonly #clients: ChildProcess;
  readonly pid: number | undefined;
  /** Memory of the server for each connection, bytes. */
  memory = 0;
  /** From each change to the last client that has it, ms. */
  readonly ms: number[] = [];
  /** Processor time of the server for each measured change, microseconds. */
  cpu = 0;

  private constructor(server: ChildProcess, audience: ChildProcess) {
    this.#server = server;
    this.#clients = audience;
    this.pid = server.pid;
  }

  static async start(stage: Stage, kind: 'ours' | 'bare') {
    const port = await stage.port();
    const server = stage.run('scripts/bench/push-server.ts', [kind, `${port}`]);
    const { rss = 0 } = await next(server);
    const args = [port, clients].map(String);
    const side = new Side(server, stage.run('scripts/bench/push-clients.ts', args));
    await next(side.#clients);
    side.memory = ((await side.#rss()) - rss) / clients;
    return side;
  }

  /** One change, until all clients have it; the bare server publishes `text`. The first client's last message before. */
  async round(published: string): Promise<string> {
    this.#clients.send({ expect: clients });
    const { text = '' } = await next(this.#clients);
    const [changed, last] = [next(this.#server), next(this.#clients)];
    this.#server.send({ text: published });
    const ns = Number(BigInt((await last).at ?? 0) - BigInt((await changed).at ?? 0));
    this.ms.push(ns / 1e6);
    return text;
  }

  async #rss(): Promise<number> {
    const said = next(this.#server);
    this.#server.send({});
    return (await said).rss ?? 0;
  }
}

/** Changes of one topic that all clients follow, in turns. */
async function benchTopic(stage: Stage): Promise<void> {
  const ours = await Side.start(stage, 'ours');
  const bare = await Side.start(stage, 'bare');
  let text = '';
  for (let i = 0; i < rounds.warmUp; i++) {
    text = await ours.round('');
    if (i > 1) await bare.round(text);
  }
  for (const side of [ours, bare]) side.ms.length = 0;
  for (let i = 0; i < rounds.measured; i++) {
    for (const side of [ours, bare]) {
      const before = cpuOf(side.pid);
      await side.round(text);
      side.cpu += (cpuOf(side.pid) - before) / rounds.measured;
    }
  }
  const rate = ({ ms }: Side) => (clients * 1e3) / median(ms);
  const row = (name: string, of: (side: Side) => number, goal: string) => [
    ...[name, of(ours), of(bare), of(ours) / of(bare), goal],
  ];
  printTable(
    `${clients} clients of one topic on one worker, ${Buffer.byteLength(text)} bytes a message, beside bare uWebSockets.js`,
    [
      ['', 'ours', 'bare', 'ratio', 'goal'],
      row('messages/s', rate, 'ratio 0.8'),
      row('processor time a message, us', ({ cpu }) => cpu / clients, ''),
      row('change to last client, p50 ms', ({ ms }) => median(ms), ''),
      row('change to last client, p99 ms', ({ ms }) => percentile(ms, 0.99), 'ratio 1.3'),
      row('memory a client, KB', ({ memory }) => memory / 1e3, 'ours 10'),
    ],
  );
}

export async function benchPush(): Promise<void> {
  if (clients < wanted) {
    console.log(`only ${clients} clients: a process may have ${files} files open (ulimit -n)`);
  }
  await onStage(benchTopic);
}
