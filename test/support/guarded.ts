/** Rows of a topic as they are published: one a market, and without what cannot be true. */
import type { Parsed } from '../../actors/sources/define.ts';
import { VenueRows } from '../../actors/sources/market-rows.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import type { MarketRows, MarketTopic } from '../../actors/topics/index.ts';
import { FakeClock } from './clock.ts';

/** The newest rows of an exchange that is alone. */
export const rowsAlone = (clock = new FakeClock()) =>
  new VenueRows('x', { clock, newest: new NewestRows() });

/** A first poll, received at `now` (Unix ms). */
export const guarded = <T extends MarketTopic>(
  topic: T,
  { rows, dropped }: Parsed<MarketRows[T]>,
  now: number,
) => {
  const all = rowsAlone(new FakeClock(now)).of(topic, 'all', 30_000);
  return all.polled({ rows, dropped, asked: now, received: now, listed: null });
};

/** The same for rows whose topic is known by name alone. */
export const guardedAny = (topic: string, parsed: Parsed<object>, now: number) => {
  const { rows, dropped } = guarded(topic as never, parsed as never, now);
  const found: readonly { market: string }[] = rows;
  return { rows: found, dropped };
};
