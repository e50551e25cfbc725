/** alternative.me: the Fear and Greed Index, which follows Bitcoin's month. https://alternative.me/crypto/api */
import { fearGreedClasses } from '../../../indicators/market/fear-greed.ts';
import { source } from '../defi/source.ts';
import type { Model } from '../model.ts';
import { seedOf, valueNoise } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { closeOf, dayAt, dayLength, daysFrom, pathOf } from './days.ts';

/** The index of a day, 0 to 100; made of what was over when the day began. */
function indexOf(model: Model, day: number): number {
  const path = pathOf(model, 'BTC');
  const month = Math.log(closeOf(path, day - dayLength) / closeOf(path, day - 31 * dayLength));
  const mood = 12 * valueNoise(seedOf(model.seed, 'fear and greed'), day / dayLength / 3);
  return Math.min(97, Math.max(3, Math.round(50 + 260 * month + mood)));
}

/** `/fng/?limit=0`: the whole history, newest first. */
function history({ model, now }: Ask) {
  const days = daysFrom(Date.UTC(2018, 1, 1), dayAt(now)).reverse();
  return {
    name: 'Fear and Greed Index',
    data: days.map((day, at) => {
      const value = indexOf(model, day);
      return {
        value: String(value),
        value_classification: fearGreedClasses.find(({ upTo }) => value <= upTo)?.label,
        timestamp: String(day / 1000),
        ...(at === 0 && { time_until_update: String((day + dayLength - now) / 1000) }),
      };
    }),
    metadata: { error: null },
  };
}

export const alternativeMe = source('alternative-me', 'api.alternative.me', { '/fng/': history });
