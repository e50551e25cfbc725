/** Histories of Gate contracts. https://www.gate.com/docs/developers/apiv4/en/#futures-stats */
import { intervals } from '../../../indicators/market/intervals.ts';
import { positive, required, time, type WireRow } from '../../read.ts';
import type { HistoryForm, Span } from '../../sources/history-query.ts';
import type {
  HistoryParams,
  InterestPoint,
  Interval,
  LongShortOf,
  LongShortParams,
  LongShortPoint,
  SeriesParams,
} from '../../topics/index.ts';
import { fundingLife } from '../fundings.ts';
import {
  fundingQuery,
  interestQuery,
  longShortQuery,
  pointOfRatio,
  rowsIn,
  seriesLife,
  withHours,
} from '../histories.ts';
import { type Ask, get, type PartName } from './api.ts';
import { settles } from './rows.ts';

/** `contract_stats` has these under our own words. */
const words: ReadonlySet<Interval> = new Set(['5m', '15m', '30m', '1h', '4h', '1d']);
/** Rows of one answer. */
const rowsAtOnce = 100;
const most = 500;

const partOf = (part: string): PartName => settles.find((settle) => settle === part) ?? 'spot';

interface Asked extends SeriesParams {
  part: string;
  now: number;
}

const stepOf = ({ part, interval }: Asked): number | null =>
  part === 'spot' || !words.has(interval) ? null : intervals[interval];

/** Pages of 100 rows from a start on, in seconds; the newest ones are asked for without a start. */
function statistics({ part, market, interval, now }: Asked, { limit, range }: Span): Ask[] {
  const query = { contract: market, interval, limit: rowsAtOnce };
  const step = intervals[interval];
  const end = Math.floor((range?.end ?? now) / step) * step;
  return Array.from({ length: Math.ceil(limit / rowsAtOnce) }, (_, i) => {
    const from = (end - ((i + 1) * rowsAtOnce - 1) * step) / 1000;
    const isNewest = i === 0 && range === null;
    const page = isNewest ? query : { ...query, from };
    return get(partOf(part), 'contract_stats', 'statistics', page);
  });
}

const series = {
  ...{ ttl: seriesLife, page: rowsAtOnce, most, thinned: true },
  ...{ step: stepOf, requests: statistics },
};

/** Times are seconds. */
const timeIn = (row: WireRow): number => time(row.time, 1000) ?? required(null);

const statisticsIn = (bodies: readonly unknown[]) =>
  bodies.flatMap((body) => rowsIn(body, 'statistics'));

const ratios: Readonly<Record<LongShortOf, string>> = {
  accounts: 'lsr_account',
  top_accounts: 'top_lsr_account',
  top_positions: 'top_lsr_size',
};

/** A ratio that is not known is written as 0: such rows are left out. */
const longShortForm: HistoryForm<LongShortParams, LongShortPoint, Ask> = {
  ...series,
  parse(bodies, { of }) {
    const points: LongShortPoint[] = [];
    for (const row of statisticsIn(bodies)) {
      const ratio = required(row[ratios[of]]);
      if (ratio !== 0) points.push(pointOfRatio(timeIn(row), positive(ratio)));
    }
    return points;
  },
};

/** `open_interest` and `open_interest_usd` count a contract twice: as a long and as a short position. */
const sides = 2;

/** `open_interest` counts contracts; inverse ones are one dollar each. One side, as `position_size` of the list states it. */
const interestForm: HistoryForm<SeriesParams, InterestPoint, Ask> = {
  ...series,
  parse: (bodies, { instrument: { scale, contract, inverse } }) =>
    statisticsIn(bodies).map((row) => {
      const size = (required(row.open_interest) / sides) * contract;
      const base = inverse ? size / positive(row.mark_price) : size;
      const usd = inverse ? size : required(row.open_interest_usd) / sides;
      return { timestamp: timeIn(row), base: base * scale, usd };
    }),
};

/** All that is given at once: at three fundings a day about a year. */
const all = 1000;

export const histories = {
  longShort: longShortQuery(longShortForm),
  openInterestHistory: interestQuery(interestForm),
  fundingHistory: {
    ...fundingQuery<Ask>({
      ttl: fundingLife,
      page: all,
      step: () => null,
      requests: ({ part, market }) => [
        get(partOf(part), 'funding_rate', 'fundings', { contract: market, limit: all }),
      ],
      parse: ([body], { instrument }) =>
        withHours(
          rowsIn(body, 'fundings').map((row) => ({
            timestamp: time(row.t, 1000) ?? required(null),
            rate: required(row.r),
            hours: null,
          })),
          instrument,
        ),
    }),
    // One answer holds every range.
    page: ({ part, market, kind }: HistoryParams & { part: string }) =>
      part === 'spot' ? null : { market, kind, limit: all },
  },
};
