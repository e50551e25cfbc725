/** What a trader reads first of a market: its price, its day, funding and open interest. */
import { oldAfter } from '../age.ts';
import { watch } from '../ask.ts';
import { h } from '../dom.ts';
import { type Fact, factList } from '../facts.ts';
import { compact, dash, duration, fixed, percent, price, signOf } from '../format.ts';
import type { Part } from '../part.ts';
import { at, type FuturesPairsMarketsItem } from '../request.ts';
import type { Market } from './candles.ts';
import type { Pair } from './exchanges.ts';

/** Time until a settlement, such as `01:59:07`; a dash where it is not known or has passed. */
function countdown(next: number | null): string {
  const left = next === null ? 0 : next - Date.now();
  if (left <= 0) return dash;
  const seconds = Math.floor(left / 1000);
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

/** A funding rate as the exchange states it, of its interval. */
function fundingOf({ funding_rate: rate, ...pair }: FuturesPairsMarketsItem): string {
  if (rate === null) return percent(null);
  const hours = pair.funding_interval_hours;
  const interval = hours === null ? '' : ` / ${fixed(hours, 0)} h`;
  return `${percent(rate * 100, 4)}${interval}`;
}

/** What perpetuals have and spot markets lack. */
function perpetualFacts(pair: FuturesPairsMarketsItem | null): readonly Fact[] {
  const tone = signOf(pair?.funding_rate ?? null, 5e-7);
  return [
    ['Mark', price(pair?.mark_price ?? null)],
    ['Index', price(pair?.index_price ?? null)],
    ['Funding', pair === null ? percent(null) : fundingOf(pair), tone],
    ['Next funding', countdown(pair?.next_funding_time ?? null)],
    ['Open interest, USD', compact(pair?.open_interest_usd ?? null)],
  ];
}

/** When a market has changed last. */
function ageOf(pair: Pair | null): Fact {
  if (pair === null) return ['Changed', percent(null)];
  const age = Math.max(0, Date.now() - pair.updated_at);
  return ['Changed', `${duration(age)} ago`, age > oldAfter ? 'warn' : ''];
}

interface Known {
  kind: Market['kind'];
  pair: Pair | null;
  /** Reference rate of the asset, US dollars. */
  rate: number | null;
}

function factsOf({ kind, pair, rate }: Known): readonly Fact[] {
  const change = pair?.price_change_24h_percent ?? null;
  const perpetual = pair !== null && 'contract' in pair ? pair : null;
  return [
    ['Last', price(pair?.price ?? null)],
    ['24 h', percent(change), signOf(change)],
    ['High 24 h', price(pair?.high_24h ?? null)],
    ['Low 24 h', price(pair?.low_24h ?? null)],
    ['Volume 24 h, USD', compact(pair?.volume_24h_usd ?? null)],
    ...(kind === 'perpetual' ? perpetualFacts(perpetual) : []),
    ['Reference rate', price(rate)],
    ageOf(pair),
  ];
}

/** The head of the page; `show` gets the market of the exchange that is chosen. */
export function headPart({ symbol, kind }: Market): Part & { show(pair: Pair): void } {
  const list = factList();
  const known: Known = { kind, pair: null, rate: null };
  const draw = () => list.show(factsOf(known));
  const endRate = watch(at('/v1/reference-rate', { symbol }), 1_000, {
    data({ rate }) {
      known.rate = rate;
    },
    missing() {
      known.rate = null;
    },
  });
  // The countdown and the age go on while nothing comes.
  const timer = setInterval(draw, 1_000);
  draw();
  return {
    node: h('div', { class: 'head-of' }, list.node),
    show(pair) {
      known.pair = pair;
      draw();
    },
    end() {
      clearInterval(timer);
      endRate();
    },
  };
}
