/** The feed of the run: publishes the true values at each time that it gets, and answers for the past of one exchange. */
import { createBus } from '../../../actors/bus/bus.ts';
import type { Answers } from '../../../actors/bus/respond.ts';
import { success } from '../../../actors/failure.ts';
import { intervals } from '../../../actors/topics/index.ts';
import {
  exchanges,
  interestAt,
  interestRow,
  liquidationAt,
  minute,
  priceRow,
  start,
  symbols,
} from './world.ts';

const [url = ''] = process.argv.slice(2);
const bus = createBus({ url, process: `feed-${process.pid}` });
let now = start;

const answers: Answers = {
  async openInterestHistory({ market, interval, limit }) {
    const step = intervals[interval];
    const symbol = market.replace('USDT', '');
    const last = Math.floor(now / step) * step - step;
    const points = Array.from({ length: limit }, (_, i) => last - (limit - 1 - i) * step)
      .filter((timestamp) => timestamp >= start)
      .map((timestamp) => {
        const usd = interestAt(exchanges[0], symbol, timestamp + step - minute);
        return { timestamp, base: 1, usd };
      });
    return success({ value: { market, points }, received: now, until: now });
  },
};
bus.serve(exchanges[0], answers, { concurrency: 8 });

/** What one exchange says at a time; the topics that took it. */
async function publish(source: string, time: number): Promise<string[]> {
  const about = { source, part: 'linear', asked: time, received: time };
  const interest = symbols.map((symbol) => interestRow(source, symbol, time));
  const prices = symbols.map((symbol) => priceRow(symbol, time));
  const log = { source, part: 'linear', at: time, since: start };
  const key = `${source}/linear`;
  const outcomes = await Promise.all([
    bus.publish('openInterest', key, { ...about, rows: interest }),
    source === exchanges[0] && bus.publish('prices', key, { ...about, rows: prices }),
    bus.publish('liquidations', key, { ...log, events: [liquidationAt(source, time)] }),
  ]);
  const topics = ['openInterest', 'prices', 'liquidations'];
  return topics
    .filter((_, at) => outcomes[at] === 'published')
    .map((topic) => `${topic} ${source}`);
}

process.on('message', async (time: number) => {
  now = time;
  const published = (await Promise.all(exchanges.map((source) => publish(source, time)))).flat();
  process.send?.({ now: time, published });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ now: 0, published: [] });
