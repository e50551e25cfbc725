/** mempool.space: heights of the Bitcoin chain. https://mempool.space/docs/api/rest */
import { dayLength } from '../../indicators/market/days.ts';
import { positive, text } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Poll,
  perMinute,
  type RequestOf,
  record,
  singleRow,
} from '../sources/define.ts';
import { timeOf } from '../venues/iso.ts';

/** The last block of a UTC day. */
export interface LastBlockOfDay {
  day: number;
  height: number;
}

/**
 * The height at the end of the plan's day `to`. The block named is the nearest to the boundary, which may be the
 * first of the next day: the one before it is meant then.
 */
const height: Poll<LastBlockOfDay, Request> = {
  requests: ({ to = 0 }) => [
    { api: 'rest', path: `/api/v1/mining/blocks/timestamp/${(to + dayLength) / 1000}` },
  ],
  parse([body], { plan: { to = 0 } }) {
    const block = record(body, 'block');
    const found = positive(block.height);
    const time = timeOf(text(block.timestamp));
    if (!Number.isInteger(found) || time === null) return singleRow<LastBlockOfDay>(null, 'block');
    const boundary = to + dayLength;
    // The nearest block cannot be hours away; a day without one has not happened since 2009.
    if (Math.abs(time - boundary) > dayLength / 4) return singleRow<LastBlockOfDay>(null, 'block');
    return singleRow({ day: to, height: time < boundary ? found : found - 1 }, 'block');
  },
};

const apis = {
  rest: { hosts: ['https://mempool.space'], budgets: perMinute(10) },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const mempool = defineSource({
  id: 'mempool',
  name: 'mempool.space',
  apis,
  polls: { height },
});
