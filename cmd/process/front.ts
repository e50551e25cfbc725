/** What web processes and those of alerts have in common: the answers of all rows, made of what the topics bring. */
import type { Bus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { historySource } from '../../actors/topics/index.ts';
import type { FollowedLog } from '../../http/answers/followed-log.ts';
import { withPresence } from '../../http/answers/source-presence.ts';
import type { Health } from '../../http/views/health.ts';
import { followLiquidations } from '../../http/views/liquidation-feed.ts';
import type { OptionTradesView } from '../../http/views/option-trades.ts';
import { followRecorded } from '../../http/views/recorded-feed.ts';
import type { ProcessContext } from './process.ts';
import { readinessOf } from './readiness.ts';
import type { Chosen } from './sources.ts';
import { filled, type Views } from './views.ts';

/** Follows a log from its beginning; resolves when it has been read. */
export const readLog = (
  bus: Bus,
  log: Pick<FollowedLog<never>, 'goBack'>,
  accept: Parameters<Bus['follow']>[0],
): Promise<void> => bus.follow(accept, { onLost: (_topic, at) => log.goBack(at) }).ready;

/** The same of trades of options, for the view of them. */
const readOptionTrades = (bus: Bus, view: OptionTradesView): Promise<void> =>
  bus.follow(
    { optionTrades: (_key, entry, at) => view.accept(entry, at) },
    { onRestart: () => view.restart(), onLost: (_topic, at) => view.log.goBack(at) },
  ).ready;

/** Follows what the history and the logs of events have for the views, until the returned function is called. */
export async function followLogs(
  {
    recorded,
    liquidations,
    optionTrades,
    positionLog,
  }: Pick<Views, 'recorded' | 'liquidations' | 'optionTrades' | 'positionLog'>,
  { bus, answering, log }: { bus: Bus; answering: Pick<Bus, 'query'>; log: ProcessContext['log'] },
): Promise<() => void> {
  const around = { clock, random: Math.random };
  const recording = followRecorded(recorded, { ...around, bus: answering });
  const following = followLiquidations(liquidations, { ...around, bus, answering });
  const traded = readOptionTrades(bus, optionTrades);
  await filled(following.filled, { clock, log });
  await filled(traded, { clock, log });
  liquidations.log.begin = (own) =>
    readLog(bus, own, { liquidations: (_key, entry, at) => own.accept(entry, at) });
  positionLog.begin = (own) =>
    readLog(bus, own, { positionEvents: (_key, entry, at) => own.accept(entry, at) });
  return () => {
    recording.stop();
    following.stop();
  };
}

/** The bus for the queries of clients: those that nobody can answer fail at once. */
export const withHistory = (bus: Bus, { status }: Pick<Views, 'status'>): Pick<Bus, 'query'> =>
  withPresence({
    ...{ bus, clock, store: historySource },
    isAbsent: () => !status.runs('history'),
  });

/** What the service says of its health. */
export const healthOf = (
  views: Views,
  chosen: Chosen,
  known: Pick<Health, 'redis' | 'redisServers' | 'redisLatency' | 'redisProblem' | 'data'>,
): Health => ({
  ...known,
  listen: (listener) => views.status.source.listen(undefined, listener),
  history: () => views.status.history(),
  clocks: () => views.status.wrongClocks(),
  newest: () => views.prices.newest(),
  ready: readinessOf(chosen, views, clock),
  uptime: () => process.uptime(),
});
