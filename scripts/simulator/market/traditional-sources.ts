/** The sources of the traditional assets: FRED, Yahoo, and the ECB by Frankfurter. */
import { type AssetId, assetIds, assets } from '../../../actors/providers/assets.ts';
import { source } from '../defi/source.ts';
import { mix } from '../noise.ts';
import { dayLength } from '../path.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { dayAt, daysFrom, lastDay } from './days.ts';
import { tables } from './network.ts';
import { assetClose, isBusinessDay, isHoliday, perDollar } from './traditional.ts';

const hour = 3_600_000;
const dateOf = (day: number) => new Date(day).toISOString().slice(0, 10);
/** The day of a date; the fallback where there is none. */
const dayOf = (date: string | null, fallback: number) => {
  const day = date === null ? fallback : Date.parse(date);
  return Number.isNaN(day) ? fallback : day;
};

/** FRED's series by name. */
const series: ReadonlyMap<string, AssetId> = new Map(
  assetIds.flatMap((asset): [string, AssetId][] => {
    const { fred } = assets[asset];
    return fred === null ? [] : [[fred, asset]];
  }),
);
const firstRow = Date.UTC(1990, 0, 1);
/** Licensed indices go back ten years. */
const tenYears: ReadonlySet<string> = new Set(['SP500', 'DJIA']);

/** A value is there at noon of the day after; the broad dollar index of a week on the evening of its next Monday. */
function published(id: string, day: number, now: number): boolean {
  if (id !== 'DTWEXBGS') return day + 1.5 * dayLength <= now;
  const friday = day + ((12 - new Date(day).getUTCDay()) % 7) * dayLength;
  return friday + 3.9 * dayLength <= now;
}

/** A cell of FRED's table: two decimals, empty or a dot where there is no value. */
function cell(id: string, day: number, { model, now }: Ask): string {
  const asset = series.get(id);
  if (asset === undefined || (tenYears.has(id) && day < now - 3652 * dayLength)) return '';
  if (!published(id, day, now)) return '';
  if (isHoliday(day)) return mix(0x402, day / dayLength) % 2 === 0 ? '' : '.';
  return assetClose(model, asset, day).toFixed(asset === 'usd_broad_index' ? 4 : 2);
}

/** `graphfred.csv?id=&cosd=&coed=`: a row for each business day of which any series has a value. */
function fredTable(ask: Ask): string {
  const ids = (ask.query.get('id') ?? '').split(',');
  if (!ids.every((id) => series.has(id))) throw new Refused(404, { error: 'Not Found' });
  const from = Math.max(firstRow, dayOf(ask.query.get('cosd'), firstRow));
  const to = Math.min(lastDay(ask.now), dayOf(ask.query.get('coed'), ask.now));
  const rows = daysFrom(dayAt(from), to)
    .filter((day) => isBusinessDay(day) && ids.some((id) => published(id, day, ask.now)))
    .map((day) => [dateOf(day), ...ids.map((id) => cell(id, day, ask))].join(','));
  return [`observation_date,${ids.join(',')}`, ...rows, ''].join('\n');
}

/** https://fred.stlouisfed.org */
export const fred = tables(
  source({
    id: 'fred',
    hosts: ['fred.stlouisfed.org'],
    most: 120,
    answers: [[/^\/graph\/fredgraph\.csv$/, fredTable]],
  }),
);

const spans: Readonly<Record<string, number>> = { '1mo': 30, '1y': 365, '2y': 730, '5y': 1826 };

const notFound = {
  chart: {
    result: null,
    error: { code: 'Not Found', description: 'No data found, symbol may be delisted' },
  },
};

const newYork = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  hourCycle: 'h23',
});

/** Time from the midnight of a UTC day to that in New York, ms: four hours in summer, five in winter. */
const midnight = (day: number): number => (12 - Number(newYork.format(day + 12 * hour))) * hour;

/** Shares open at 09:30 in New York, futures at midnight there. */
const opening = (asset: AssetId, day: number) =>
  midnight(day) + (asset === 'gold' ? 0 : 9.5) * hour;

/** `/v8/finance/chart/<symbol>?range=&interval=1d`: sessions with their openings, the running one included. */
function yahooChart({ path, query, model, now }: Ask) {
  const symbol = decodeURIComponent(path.split('/').at(-1) ?? '');
  const asset = assetIds.find((id) => assets[id].yahoo === symbol);
  const days = spans[query.get('range') ?? '2y'];
  if (!asset || days === undefined || query.get('interval') !== '1d') {
    throw new Refused(404, notFound);
  }
  const sessions = daysFrom(dayAt(now) - days * dayLength, dayAt(now))
    .filter(isBusinessDay)
    .filter((day) => day + opening(asset, day) <= now);
  const closes = sessions.map((day) => (isHoliday(day) ? null : assetClose(model, asset, day)));
  const empty = closes.map((close) => (close === null ? null : 0));
  return {
    chart: {
      result: [
        {
          meta: {
            ...{ currency: 'USD', symbol, instrumentType: 'INDEX', gmtoffset: -14_400 },
            ...{ timezone: 'EDT', exchangeTimezoneName: 'America/New_York' },
            ...{ regularMarketPrice: closes.findLast((close) => close !== null) },
            ...{ dataGranularity: '1d', range: query.get('range') ?? '2y' },
          },
          timestamp: sessions.map((day) => (day + opening(asset, day)) / 1000),
          indicators: {
            quote: [{ open: closes, high: closes, low: closes, close: closes, volume: empty }],
            adjclose: [{ adjclose: closes }],
          },
        },
      ],
      error: null,
    },
  };
}

export const yahoo = source({
  id: 'yahoo',
  hosts: ['query1.finance.yahoo.com', 'query2.finance.yahoo.com'],
  most: 120,
  limited: { finance: { result: null, error: { code: 'Too Many Requests' } } },
  answers: [[/^\/v8\/finance\/chart\/[^/]+$/, yahooChart]],
});

/** The first fixing. */
const firstFixing = Date.UTC(1999, 0, 4);

/** `/v1/<start>..<end>?base=USD&symbols=`: fixings of business days, today's from 15:00 UTC on. */
function fixings({ path, query, model, now }: Ask) {
  const [start = null, end = null] = (path.split('/')[2] ?? '').split('..');
  const wanted = (query.get('symbols') ?? '').toUpperCase().split(',');
  if (query.get('base') !== 'USD') throw new Refused(404, { message: 'not found' });
  const first = Math.max(firstFixing, dayOf(start, firstFixing));
  const last = Math.min(dayOf(end || null, now), now - 15 * hour);
  const days = daysFrom(dayAt(first), dayAt(last)).filter((d) => isBusinessDay(d) && !isHoliday(d));
  if (days.length === 0) throw new Refused(404, { message: 'not found' });
  const row = (day: number) =>
    Object.entries(perDollar(model, day))
      .map(([name, rate]): [string, number] => [name.toUpperCase(), Number(rate.toPrecision(5))])
      .filter(([name]) => wanted.includes(name));
  return {
    amount: 1,
    base: 'USD',
    start_date: dateOf(days[0] ?? first),
    end_date: dateOf(days.at(-1) ?? last),
    rates: Object.fromEntries(days.map((day) => [dateOf(day), Object.fromEntries(row(day))])),
  };
}

/** https://frankfurter.dev */
export const frankfurter = source({
  id: 'frankfurter',
  hosts: ['api.frankfurter.dev'],
  most: 120,
  answers: [[/^\/v1\/\d{4}-\d{2}-\d{2}\.\.(\d{4}-\d{2}-\d{2})?$/, fixings]],
});
