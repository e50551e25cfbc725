/** The sources of the traditional assets: FRED, Yahoo, and the ECB by Frankfurter. */
import { type AssetId, assetIds, assets } from '../../../actors/providers/assets.ts';
import { source } from '../defi/source.ts';
import { mix } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { dayAt, dayLength, daysFrom, lastDay } from './days.ts';
import { assetClose, isBusinessDay, isHoliday, perDollar } from './traditional.ts';

const hour = 3_600_000;
const dateOf = (day: number) => new Date(day).toISOString().slice(0, 10);

/** A value is there at noon of the day after; the broad dollar index of a week on the evening of its next Monday. */
function isPublished(asset: AssetId, day: number, now: number): boolean {
  if (asset !== 'usd_broad_index') return day + 1.5 * dayLength <= now;
  const friday = day + ((12 - new Date(day).getUTCDay()) % 7) * dayLength;
  return friday + 3.9 * dayLength <= now;
}

/** A cell of FRED's table: two decimals, empty or a dot where there is no value. */
function cell(asset: AssetId, day: number, { model, now }: Ask): string {
  if (!isPublished(asset, day, now)) return '';
  if (isHoliday(day)) return mix(0x402, day / dayLength) % 2 === 0 ? '' : '.';
  return assetClose(model, asset, day).toFixed(asset === 'usd_broad_index' ? 4 : 2);
}

/** `fredgraph.csv?id=&cosd=`: a row for each business day with a value; several series, of different frequencies, are a ZIP. */
function fredTable(ask: Ask): string {
  const id = ask.query.get('id') ?? '';
  if (id.includes(',')) return 'PK\u0003\u0004';
  const asset = assetIds.find((one) => assets[one].fred === id);
  if (!asset) throw new Refused(404, { error: 'Not Found' });
  const from = Math.max(Date.UTC(1990, 0, 1), Date.parse(ask.query.get('cosd') ?? '1990-01-01'));
  const rows = daysFrom(dayAt(from), lastDay(ask.now))
    .filter((day) => isBusinessDay(day) && isPublished(asset, day, ask.now))
    .map((day) => `${dateOf(day)},${cell(asset, day, ask)}`);
  return [`observation_date,${id}`, ...rows, ''].join('\n');
}

/** https://fred.stlouisfed.org */
export const fred = source('fred', 'fred.stlouisfed.org', { '/graph/fredgraph.csv': fredTable });

const notFound = { chart: { result: null, error: { code: 'Not Found', description: 'No data' } } };

/** When a session opens, Unix ms: shares at 14:30 UTC and futures at 05:00, on the same day in New York. */
const openingOf = (asset: AssetId, day: number) => day + (asset === 'gold' ? 5 : 14.5) * hour;

/** `/v8/finance/chart/<symbol>?range=2y&interval=1d`: sessions with their openings, the running one included. */
function yahooChart({ query, model, now }: Ask) {
  const symbol = query.get('symbol');
  const asset = assetIds.find((id) => assets[id].yahoo === symbol);
  if (!asset) throw new Refused(404, notFound);
  const sessions = daysFrom(dayAt(now) - 730 * dayLength, dayAt(now)).filter(
    (day) => isBusinessDay(day) && openingOf(asset, day) <= now,
  );
  const close = sessions.map((day) => (isHoliday(day) ? null : assetClose(model, asset, day)));
  const result = {
    meta: { currency: 'USD', symbol, exchangeTimezoneName: 'America/New_York' },
    timestamp: sessions.map((day) => openingOf(asset, day) / 1000),
    indicators: { quote: [{ close }] },
  };
  return { chart: { result: [result], error: null } };
}

export const yahoo = source('yahoo', ['query1.finance.yahoo.com', 'query2.finance.yahoo.com'], {
  '/v8/finance/chart/{symbol}': yahooChart,
});

/** `/v1/<start>..<end>?base=USD&symbols=`: fixings of business days, today's from 15:00 UTC on. */
function fixings({ query, model, now }: Ask) {
  const [start = '', end = ''] = (query.get('days') ?? '').split('..');
  const wanted = (query.get('symbols') ?? '').split(',');
  const first = Math.max(Date.UTC(1999, 0, 4), Date.parse(start));
  const last = Math.min(Date.parse(end), now - 15 * hour);
  const days = daysFrom(first, dayAt(last)).filter((day) => isBusinessDay(day) && !isHoliday(day));
  if (query.get('base') !== 'USD' || days.length === 0) {
    throw new Refused(404, { message: 'not found' });
  }
  const row = (day: number) =>
    Object.entries(perDollar(model, day))
      .map(([name, rate]): [string, number] => [name.toUpperCase(), Number(rate.toPrecision(5))])
      .filter(([name]) => wanted.includes(name));
  return {
    base: 'USD',
    rates: Object.fromEntries(days.map((day) => [dateOf(day), Object.fromEntries(row(day))])),
  };
}

/** https://frankfurter.dev */
export const frankfurter = source('frankfurter', 'api.frankfurter.dev', { '/v1/{days}': fixings });
