/** alternative.me: the Fear and Greed Index. https://alternative.me/crypto/fear-and-greed-index/#api */
import { dayAt } from '../../indicators/market/days.ts';
import { bulk, field, required, text, time } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Poll,
  perMinute,
  type RequestOf,
  readRows,
} from '../sources/define.ts';

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
const fearGreed: Poll<FearGreedDay, Request> = {
  requests: () => [{ api: 'rest', path: '/fng/', query: { limit: 0, format: 'json' } }],
  parse: ([body], { received }) =>
    readRows(
      bulk(field(body, 'data'), 'data'),
      (row) => text(row.timestamp),
      (row) => {
        const value = required(row.value);
        const day = dayAt(time(row.timestamp, 1000, received) ?? 0);
        const label = text(row.value_classification);
        const next = required(row.time_until_update);
        const isValid = Number.isInteger(value) && value >= 0 && value <= 100 && day > 0;
        if (!isValid || label === '') return null;
        return { day, value, label, next_update_in_s: next >= 0 ? next : null };
      },
    ),
};

const apis = {
  rest: { hosts: ['https://api.alternative.me'], budgets: perMinute(30) },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const alternativeMe = defineSource({
  id: 'alternative-me',
  name: 'alternative.me',
  apis,
  polls: { fearGreed },
});
