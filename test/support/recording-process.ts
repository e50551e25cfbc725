/** Records numbered messages, a hundred in a while, until it is killed; prints the number and the time of the last one. The argument is the folder. */
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { Recorder } from '../../actors/sources/recording/recorder.ts';

const recorder = new Recorder({
  folder: process.argv[2] ?? '',
  types: new Set(['trades']),
  exchanges: [],
  symbols: [],
  keepDays: 1,
  mostBytes: 1e12,
  process: `${process.pid}`,
  clock,
  log: { error: (what: unknown) => void process.stderr.write(`${what}\n`) },
  listed: () => new Map(),
  publish: () => {},
  free: async () => 1e12,
});
const one = recorder
  .stream('x', { name: 'trades/spot', part: 'spot', types: ['trades'] })
  ?.connection('wss://x.example/stream');
one?.opened();
for (let number = 0; ; ) {
  for (let i = 0; i < 100; i++) one?.hear(`{"number":${++number}}`, () => true);
  process.stdout.write(`${number} ${Date.now()}\n`);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
