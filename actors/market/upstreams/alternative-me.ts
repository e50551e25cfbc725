/** alternative.me: the Fear and Greed Index. https://alternative.me/crypto/fear-and-greed-index/#api */
import { required, text } from '../../read.ts';
import { bulk, field } from '../../venues/rows.ts';
import { dayAt } from '../days.ts';
import { defineUpstream, type Figure, noFaults, perMinute, readRows } from '../upstream.ts';

/** The index of one UTC day. */
export interface FearGreedDay {
  day: number;
  /** 0 (extreme fear) to 100 (extreme greed). */
  value: number;
  /** The vendor's own class, `Extreme Fear`: its edges are not published and differ between write-ups. */
  label: string;
  /** Seconds until the next value, which the newest row alone states; else null. */
  next_update_in_s: number | null;
}

/** The whole history since 2018-02-01: every number is a string, newest first. */
const fearGreed: Figure<FearGreedDay> = {
  requests: () => [{ api: 'rest', path: '/fng/', query: { limit: 0, format: 'json' } }],
  parse: ([body]) =>
    readRows(
      bulk(field(body, 'data'), 'data'),
      (row) => text(row.timestamp),
      (row) => {
        const value = required(row.value);
        const day = dayAt(required(row.timestamp) * 1000);
        const label = text(row.value_classification);
        const next = required(row.time_until_update);
        const sound = Number.isInteger(value) && value >= 0 && value <= 100 && day > 0;
        if (!sound || label === '') return null;
        return { day, value, label, next_update_in_s: next >= 0 ? next : null };
      },
    ),
};

export const alternativeMe = defineUpstream({
  id: 'alternative-me',
  name: 'alternative.me',
  apis: {
    rest: { hosts: ['https://api.alternative.me'], budgets: perMinute(30), fault: noFaults },
  },
  figures: { fearGreed },
});
