/** alternative.me: the Fear and Greed Index, which follows Bitcoin's month. https://alternative.me/crypto/api */
import { fearGreedClasses } from '../../../indicators/market/fear-greed.ts';
import { source } from '../defi/source.ts';
import type { Model } from '../model.ts';
import { seedOf, valueNoise } from '../noise.ts';
import { dayLength } from '../path.ts';
import type { Ask } from '../venue.ts';
import { closeOf, dayAt, daysFrom, pathOf } from './days.ts';

/** The first day of the index. */
export const firstIndex = Date.UTC(2018, 1, 1);

/** The index of a day, 0 to 100; made of what was over when the day began. */
export function fearGreedOf(model: Model, day: number): number {
  const path = pathOf(model, 'BTC');
  const month = Math.log(closeOf(path, day - dayLength) / closeOf(path, day - 31 * dayLength));
  const mood = 12 * valueNoise(seedOf(model.seed, 'fear and greed'), day / dayLength / 3);
  return Math.min(97, Math.max(3, Math.round(50 + 260 * month + mood)));
}

const labelOf = (value: number) => fearGreedClasses.find(({ upTo }) => value <= upTo)?.label ?? '';

/** `/fng/?limit=`: newest first, the whole history where the limit is 0, one row where there is none. */
function index({ query, model, now }: Ask) {
  const limit = Number(query.get('limit') ?? 1);
  const days = daysFrom(firstIndex, dayAt(now)).reverse();
  return {
    name: 'Fear and Greed Index',
    data: days.slice(0, limit > 0 ? limit : undefined).map((day, at) => {
      const value = fearGreedOf(model, day);
      return {
        value: String(value),
        value_classification: labelOf(value),
        timestamp: String(day / 1000),
        ...(at === 0 && { time_until_update: String((day + dayLength - now) / 1000) }),
      };
    }),
    metadata: { error: null },
  };
}

export const alternativeMe = source({
  id: 'alternative-me',
  hosts: ['api.alternative.me'],
  most: 60,
  limited: { name: 'Fear and Greed Index', data: [], metadata: { error: 'Too many requests' } },
  answers: [[/^\/fng\/$/, index]],
});
