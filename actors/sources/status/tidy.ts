/** Removes from Redis what nobody will publish again: the last values of removed parts, sources and processes. */
import type { Logger } from '../../../config/log.ts';
import { day, hour } from '../../../config/time.ts';
import type { Bus } from '../../bus/bus.ts';
import { type Clock, every } from '../../kernel/clock.ts';
import {
  type FeedStatus,
  type MarketTopic,
  marketTopics,
  removedRows,
  type Topic,
  type Topics,
  topics,
} from '../../topics/index.ts';
import type { Venue } from '../venue.ts';

/** Between two rounds, ms. */
const interval = hour;
/** A process that has given no sign of life for so many times the longest age has ended, whatever its clock shows. */
const ages = 15;

/** An order book of so long ago is of no use to anybody, ms. */
const oldest = day;

export interface TidyOptions {
  bus: Pick<Bus, 'last' | 'keys' | 'forget'>;
  /** Those of this process. */
  venues: ReadonlyMap<string, Pick<Venue, 'feeds' | 'live'>>;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
}

/** Removes the last values of a topic that are of no use any more. */
async function forgetOld<T extends Topic>(
  bus: TidyOptions['bus'],
  topic: T,
  isOld: (value: Topics[T]) => boolean,
): Promise<void> {
  const old = [...(await bus.last(topic))].filter(([, value]) => isOld(value));
  await bus.forget(
    topic,
    old.map(([key]) => key),
  );
}

async function tidyProcesses(bus: TidyOptions['bus'], now: number): Promise<void> {
  for (const topic of ['processes', 'compute'] as const)
    await forgetOld(bus, topic, ({ at }) => at < now - ages * topics[topic].maxAge);
}

/** What is sampled has no value of its last time: it goes by its age. */
async function tidySamples(bus: TidyOptions['bus'], now: number): Promise<void> {
  for (const topic of ['orderBooks', 'largeOrders', 'referenceInputs'] as const)
    await forgetOld(bus, topic, ({ received }) => received < now - oldest);
}

/** Removes the rows of what is no more; gives the sources that are left. */
async function tidyStatus(bus: TidyOptions['bus'], now: number): Promise<ReadonlySet<string>> {
  const rows = await bus.last('status');
  const removed = new Set<FeedStatus>(removedRows(rows.values(), now));
  const keys = [...rows].filter(([, row]) => removed.has(row)).map(([key]) => key);
  await bus.forget('status', keys);
  return new Set([...rows.values()].filter((row) => !removed.has(row)).map((row) => row.source));
}

/** The parts that a venue has in a topic. */
function partsOf({ feeds, live }: Pick<Venue, 'feeds' | 'live'>, topic: MarketTopic): Set<string> {
  const { parts = {} } = feeds[topic] ?? {};
  const streamed = live === undefined ? {} : Object.assign({}, ...Object.values(live));
  return new Set([parts, streamed].flatMap((one) => Object.keys(one)));
}

/** A part that its source has not, and those of sources of which nothing is reported any more. */
async function tidyMarkets(
  { bus, venues }: TidyOptions,
  reporting: ReadonlySet<string>,
): Promise<void> {
  for (const topic of marketTopics) {
    const isGone = (key: string) => {
      const [source = '', part = ''] = key.split('/');
      const venue = venues.get(source);
      return venue === undefined ? !reporting.has(source) : !partsOf(venue, topic).has(part);
    };
    await bus.forget(topic, (await bus.keys(topic)).filter(isGone));
  }
}

/** One round. Rejects when Redis is away. A last good value of a part that there is stays, however old it is. */
export async function tidy(options: TidyOptions): Promise<void> {
  const { bus, clock } = options;
  const now = clock.now();
  await tidyProcesses(bus, now);
  await tidySamples(bus, now);
  const reporting = await tidyStatus(bus, now);
  // Without any status this Redis has just been emptied.
  if (reporting.size > 0) await tidyMarkets(options, reporting);
}

/** A round each hour, until stopped. */
export function keepTidy(options: TidyOptions): { stop(): void } {
  const { clock, log } = options;
  const round = () => {
    tidy(options).catch((error: unknown) =>
      log.warn({ err: error }, 'old values were not removed'),
    );
  };
  return { stop: every(clock, interval, round) };
}
