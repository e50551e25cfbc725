/** The altcoin season, from daily closes with the live prices at their end. */
import { hour } from '../../config/time.ts';
import {
  type Season,
  type SeasonInputs,
  season,
  seasonBackfill,
  seasonPeriods,
} from '../../indicators/market/altcoin-season.ts';
import { type DayClose, dayAt, dayLength } from '../../indicators/market/days.ts';
import { plausible, rules } from '../../indicators/market/plausible.ts';
import { required } from '../read.ts';
import type { Job } from '../sources/job.ts';
import { CloseBook, type Closes, closesName } from './closes.ts';
import { CoinList, stablecoinsName, type Universe, universeName } from './coins.ts';
import { type Market, missingInput, remaining } from './context.ts';
import { ChartRecord } from './records.ts';

const name = 'altcoin-season';
const every = hour;

const columns = { index: required };

const inputsOf = ({ coins }: Universe, closes: Closes['byCoin']): SeasonInputs => ({
  universe: coins,
  bitcoin: closes.get('BTC') ?? [],
  closes,
});

/** The closes with a live price at their end; coins without one are left as they are, which leaves them out. */
function withPrices({ byCoin }: Closes, { tickers }: Market, now: number) {
  const live = new Map<string, readonly DayClose[]>();
  let newest = 0;
  for (const [symbol, closes] of byCoin) {
    const found = tickers.price(symbol, now);
    const last = closes.at(-1)?.close ?? null;
    const isPlausible = found !== null && plausible(found.price, last, rules.coinClose) === null;
    live.set(symbol, isPlausible ? [...closes, { day: dayAt(now), close: found.price }] : closes);
    if (isPlausible) newest = Math.max(newest, found.at);
  }
  return { closes: live, newest };
}

/** The season now, else that of the last day that is over. */
interface Current {
  inputs: SeasonInputs;
  day: number;
  found: Season;
  /** When its newest input was received, Unix ms. */
  received: number;
  isLive: boolean;
}

function currentOf(at: Market, universe: Universe, closes: Closes, now: number): Current | null {
  const live = withPrices(closes, at, now);
  const inputs = inputsOf(universe, live.closes);
  const today = dayAt(now);
  const found = season(inputs, today, seasonPeriods.index);
  if (found) return { inputs, day: today, found, received: live.newest, isLive: true };
  const closed = inputsOf(universe, closes.byCoin);
  const day = closes.through;
  const last = season(closed, day, seasonPeriods.index);
  return last && { inputs: closed, day, found: last, received: closes.at, isLive: false };
}

/** Adds the last closed day; missing days before it are computed from today's coins, as far as a year of closes goes. */
async function record(
  recorder: ChartRecord<typeof columns>,
  inputs: SeasonInputs,
  through: number,
) {
  const last = (await recorder.rows()).at(-1)?.timestamp ?? 0;
  const from = Math.max(last + dayLength, through - seasonPeriods.year * dayLength);
  if (from < through) {
    const missing = seasonBackfill(inputs, { from, to: through - dayLength });
    await recorder.add(...missing.map((point) => ({ ...point })));
  }
  if (from > through) return;
  const found = season(inputs, through, seasonPeriods.index);
  if (found) await recorder.add({ timestamp: through, index: found.index });
}

function fieldsOf({ inputs, day, found }: Current) {
  const over = (days: number) => season(inputs, day, days)?.index ?? null;
  return {
    index: found.index,
    classification: found.classification,
    period_days: seasonPeriods.index,
    coins_evaluated: found.coins_evaluated,
    coins_outperforming: found.coins_outperforming,
    bitcoin_change_pct: found.bitcoin_change_pct,
    month_index: over(seasonPeriods.month),
    year_index: over(seasonPeriods.year),
    coins: found.coins,
  };
}

/** Times of the newest input, and the last point of the chart. */
function endOf({ isLive, received, day, found }: Current) {
  return {
    updated_at: isLive ? received : day + dayLength,
    received_at: received,
    live: isLive ? ({ timestamp: day, index: found.index, provisional: true } as const) : null,
  };
}

/** The job. A failure to renew the list of coins or their closes is reported after the index is published. */
export function altcoinSeasonJob(at: Market): Job {
  const { context, charts } = at;
  const list = new CoinList(at);
  const book = new CloseBook(at);
  const recorder = new ChartRecord(at, { key: name, columns, step: dayLength });
  return {
    name,
    every,
    also: [universeName, stablecoinsName, closesName],
    wait: (now) => remaining(context, { job: name, every }, now),
    async run({ now, signal }) {
      const universe = await list.get(now, signal);
      if ('code' in universe) return universe;
      const { closes, failure } = await book.get(universe, now, signal);
      if (!closes) return failure ?? missingInput('no closes');
      await record(recorder, inputsOf(universe, closes.byCoin), closes.through);
      const current = currentOf(at, universe, closes, now);
      if (!current) return failure ?? missingInput('too few coins can be compared');
      const unpublished = await charts.publish({
        reading: {
          name,
          fields: fieldsOf(current),
          source: [universe.source, ...closes.sources],
          ...endOf(current),
        },
        every,
        ...(await recorder.chart()),
      });
      return unpublished ?? failure;
    },
  };
}
