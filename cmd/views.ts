/** The views of a web worker. */
import type { Bus, Handlers } from '../actors/bus/bus.ts';
import { systemClock as clock } from '../actors/kernel/clock.ts';
import type { Config } from '../config/config.ts';
import { ComputeView } from '../http/views/compute-metrics.ts';
import { DefiView } from '../http/views/defi.ts';
import { IndicatorsView } from '../http/views/indicators.ts';
import { MarketIndicatorsView } from '../http/views/market-indicators.ts';
import { OnchainView } from '../http/views/onchain.ts';
import { OpenInterestView } from '../http/views/open-interest.ts';
import { PricesView } from '../http/views/prices.ts';
import { StatusView } from '../http/views/status.ts';

/** How often the views let what is too old go. */
const tick = 1_000;

/** The views, what feeds them, and their ageing. */
export function createViews(bus: Bus, { lendingLeastTvl }: Pick<Config, 'lendingLeastTvl'>) {
  const prices = new PricesView();
  const openInterest = new OpenInterestView(() => prices.rates());
  const status = new StatusView();
  const pools = new ComputeView();
  const onchain = new OnchainView();
  const defi = new DefiView({ leastTvl: lendingLeastTvl });
  const marketIndicators = new MarketIndicatorsView();
  const indicators = new IndicatorsView({ bus, clock, random: Math.random });
  const handlers: Handlers = {
    prices: (_key, reading) => prices.accept(reading, clock.now()),
    openInterest: (_key, reading) => openInterest.accept(reading, clock.now()),
    status: (key, feed) => status.acceptFeed(key, feed),
    processes: (_key, process) => status.acceptProcess(process),
    compute: (process, pool) => pools.accept(process, pool),
    chains: (chain, state) => onchain.accept(chain, state, clock.now()),
    defi: (_figure, reading) => defi.accept(reading, clock.now()),
    marketIndicators: (key, reading) => marketIndicators.accept(key, reading, clock.now()),
    indicatorHistories: (key, history) => marketIndicators.acceptHistory(key, history),
  };
  const aging = [prices, openInterest, status, onchain, defi, marketIndicators];
  const ticking = setInterval(() => {
    const now = clock.now();
    for (const view of aging) view.expire(now);
  }, tick);
  const stop = () => {
    clearInterval(ticking);
    indicators.stop();
  };
  const all = { prices, openInterest, status, pools, indicators, onchain, defi, marketIndicators };
  return { ...all, handlers, stop };
}

export type Views = ReturnType<typeof createViews>;
