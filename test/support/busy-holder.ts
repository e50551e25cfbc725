/**
 * A process that offers to hold the lease `okx`, for tests: `node busy-holder.ts '{redis, id, turn, bytes}'`. While it holds the lease
 * each turn of its event loop takes `turn` ms, and publishes so many bytes. It says when it begins and when it ends.
 */
import { randomBytes } from 'node:crypto';
import { createBus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { leaseOf } from '../../actors/sources/lease.ts';
import { createLogger } from '../../config/log.ts';
import { feedStatus } from './makers.ts';

const { redis, id, turn, bytes } = JSON.parse(process.argv[2] ?? '{}');
const bus = createBus({ url: redis, process: id });
const log = createLogger({ logLevel: 'silent' }, 'test');
process.on('disconnect', () => process.exit(0));
const asleep = new Int32Array(new SharedArrayBuffer(4));
let holding: number | null = null;

function busy(fence: number): void {
  if (holding !== fence) return;
  const row = feedStatus({ reason: randomBytes(bytes / 2).toString('hex') });
  void bus.publish('status', 'k', row, { name: 'okx', fence });
  Atomics.wait(asleep, 0, 0, turn);
  setImmediate(() => busy(fence));
}

const holder = () => ({
  begin(fence: number) {
    holding = fence;
    process.send?.('begins');
    setImmediate(() => busy(fence));
  },
  stop() {
    holding = null;
    process.send?.('ends');
  },
});
leaseOf(
  'okx',
  { bus, clock, random: Math.random, log, process: id },
  { holder, isFenced: true },
).seek();
