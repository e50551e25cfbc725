/**
 * A process of one stream of liquidations, for tests: `node event-process.ts '{role, redis, gateway, folder}'`. As `feed` it
 * publishes what the stream of Binance at `gateway` brings, as `history` it stores the log in `folder`.
 */

import { createBus } from '../../actors/bus/bus.ts';
import { silent } from '../../actors/bus/log.ts';
import { recordLiquidations } from '../../actors/history/liquidation-recorder.ts';
import {
  liquidationFeeds,
  liquidations as sums,
} from '../../actors/history/series/liquidations.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { createSupervisor } from '../../actors/kernel/supervisor.ts';
import { listedMarkets } from '../../actors/sources/feeds.ts';
import { InstrumentBook } from '../../actors/sources/instruments.ts';
import { holderTopics } from '../../actors/sources/lease.ts';
import { StatusRow } from '../../actors/sources/status/status.ts';
import { eachEvent } from '../../actors/sources/streams/events.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { liquidations } from '../../actors/venues/binance/streams.ts';
import { Pace } from '../../config/pace.ts';
import { bases } from './event-upstream.ts';

const { role, redis, gateway, folder } = JSON.parse(process.argv[2] ?? '{}');
const bus = createBus({ url: redis, process: role });
const name = { source: 'binance', part: 'linear' } as const;

function feed(): void {
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const about = { kind: 'perpetual', quote: 'USDT', scale: 1, contract: 1 } as const;
  const rows = bases.map((symbol) => ({
    market: `${symbol}USDT`,
    symbol,
    ...about,
    inverse: false,
    funding_hours: null,
  }));
  newest.accept('instruments', { ...name, asked: 0, received: 0, rows });
  const behaviour = eachEvent({
    ...name,
    stream: liquidations.linear,
    markets: listedMarkets({ ...name, book }),
    pace: new Pace('auto'),
    gateway,
    random: Math.random,
    status: new StatusRow({ ...name, topic: 'liquidations' }, () => {}),
    publish: (entry) =>
      holderTopics(bus).publish('liquidations', 'binance/linear', { ...name, ...entry }),
    onUnknown() {},
  });
  createSupervisor({ name: 'test', clock, random: Math.random, onEvent() {} }).spawn({
    name: 'all',
    behaviour,
  });
}

process.on('disconnect', () => process.exit(0));
if (role === 'feed') feed();
else {
  const store = new SqliteStore(folder, [sums, liquidationFeeds]);
  recordLiquidations({ bus, store, clock, log: silent });
}
