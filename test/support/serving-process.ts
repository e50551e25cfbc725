/**
 * A process that offers to serve the source `okx`, for tests: `node serving-process.ts '{redis, id, answers}'`. It says
 * when it serves, and when it was asked; one that does not answer leaves the query open.
 */
import { createBus } from '../../actors/bus/bus.ts';
import { success } from '../../actors/failure.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { leaseOf } from '../../actors/sources/lease.ts';
import { createLogger } from '../../config/log.ts';

const { redis, id, answers } = JSON.parse(process.argv[2] ?? '{}');
const bus = createBus({ url: redis, process: id });
const log = createLogger({ logLevel: 'silent' }, 'test');
process.on('disconnect', () => process.exit(0));
const serve = () => {
  const serving = bus.serve('okx', {
    async orderBook({ market }) {
      process.send?.('asked');
      if (!answers) await new Promise(() => {});
      const value = { market, bids: [], asks: [], timestamp: 1 };
      return success({ value, received: 1, until: 1 });
    },
  });
  void serving.ready.then(() => process.send?.('serving'));
  return serving;
};
const holder = () => {
  let serving: ReturnType<typeof serve> | null = null;
  return {
    begin() {
      serving = serve();
    },
    stop: () => serving?.stop(),
  };
};
leaseOf('okx', { bus, clock, random: Math.random, log, process: id }, { holder }).seek();
