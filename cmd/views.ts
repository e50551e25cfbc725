/** The views of a web worker. */
import type { Bus, Handlers } from '../actors/bus/bus.ts';
import { systemClock as clock } from '../actors/kernel/clock.ts';
import { ComputeView } from '../http/views/compute-metrics.ts';
import { IndicatorsView } from '../http/views/indicators.ts';
import { OpenInterestView } from '../http/views/open-interest.ts';
import { PricesView } from '../http/views/prices.ts';
import { StatusView } from '../http/views/status.ts';

/** How often the views let what is too old go. */
const tick = 1_000;

/** The views, what feeds them, and their ageing. */
export function createViews(bus: Bus) {
  const prices = new PricesView();
  const openInterest = new OpenInterestView(() => prices.rates());
  const status = new StatusView();
  const pools = new ComputeView();
  const indicators = new IndicatorsView({ bus, clock, random: Math.random });
  const handlers: Handlers = {
    prices: (_key, reading) => prices.accept(reading, clock.now()),
    openInterest: (_key, reading) => openInterest.accept(reading, clock.now()),
    status: (key, feed) => status.acceptFeed(key, feed),
    processes: (_key, process) => status.acceptProcess(process),
    compute: (process, pool) => pools.accept(process, pool),
  };
  const aging = setInterval(() => {
    prices.expire(clock.now());
    openInterest.expire(clock.now());
    status.expire(clock.now());
  }, tick);
  const stop = () => {
    clearInterval(aging);
    indicators.stop();
  };
  return { prices, openInterest, status, pools, indicators, handlers, stop };
}

export type Views = ReturnType<typeof createViews>;
