/** Rows of markets named by a letter, and the context of a source `x` whose publications are kept. */
import type { Published } from '../../actors/bus/bus.ts';
import type { Clock } from '../../actors/kernel/clock.ts';
import type { HolderContext } from '../../actors/sources/context.ts';
import { holderTopics } from '../../actors/sources/lease.ts';
import { SourceStatus } from '../../actors/sources/status/status.ts';
import type {
  DerivativeRow,
  FeedStatus,
  OpenInterestRow,
  PriceRow,
} from '../../actors/topics/index.ts';
import { createLogger } from '../../config/log.ts';
import { listed } from '../actors/venues/stream-suite.ts';
import { derivativeRow, interestRow, priceRow } from './makers.ts';
import { noMarkets } from './markets.ts';
import { memoryBus } from './memory-bus.ts';

/** The market is the name of the asset too. */
export const price = (market: string, price: number): PriceRow =>
  priceRow({ market, symbol: market, kind: 'perpetual', price, volume: 10, change: 0 });
export const rate = (market: string, mark: number): DerivativeRow => ({
  ...derivativeRow({ market, symbol: market, mark, index: null }),
  funding_rate: null,
  funding_hours: null,
  funding_rate_8h: null,
});
export const interest = (market: string, value: number): OpenInterestRow =>
  interestRow({ market, symbol: market, units: 1, value, mark: null });

/** `host` is that of the WebSocket server. `last` and `outcomes` are what the bus answers. */
export function feedContext(clock: Clock, host: string) {
  const statuses: FeedStatus[] = [];
  const published: [topic: string, key: string, value: object, lease: unknown][] = [];
  const outcomes: Record<string, Published> = {};
  const last: Record<string, unknown> = {};
  const redis = { up: true };
  const bus: HolderContext['bus'] = {
    ...memoryBus(clock),
    lastOf: async (topic: string, key: string) => {
      if (!redis.up) throw new Error('no Redis');
      return last[`${topic}/${key}`] as never;
    },
    async publish(topic: string, key: string, value: object, lease?: unknown) {
      published.push([topic, key, value, lease]);
      return outcomes[topic] ?? 'published';
    },
  };
  const context: HolderContext = {
    ...noMarkets(),
    clock,
    random: () => 0,
    process: 'test',
    bus,
    ...holderTopics(bus, { name: 'x', fence: 7 }),
    gateway: `http://${host}`,
    log: createLogger({ logLevel: 'silent' }, 'test'),
    status: new SourceStatus({ source: 'x', clock, publish: (one) => statuses.push(one) }),
    client: () => {
      throw new Error('no request is sent');
    },
  };
  /** Lists the markets of a part; `S` is a spot market, the others are perpetuals. */
  const list = (part: string, ...markets: string[]) =>
    context.newest.accept('instruments', {
      source: 'x',
      part,
      asked: 0,
      received: 0,
      rows: [...listed(markets.map((market) => ({ market, symbol: market }))).values()].map(
        (row) => ({ ...row, kind: row.market === 'S' ? 'spot' : 'perpetual' }),
      ),
    });
  const reading = <Row>(part: string, rows: Row[], at = clock.now()) => {
    return { source: 'x', part, asked: at, received: at, rows };
  };
  return { context, statuses, published, outcomes, last, redis, list, reading };
}
