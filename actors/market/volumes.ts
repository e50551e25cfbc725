/** Turnover of futures against that of spot: of our exchanges, of CoinGecko while theirs is missing. */
import { hour, minute } from '../../config/time.ts';
import { quotientOf } from '../../indicators/market/assets.ts';
import { rules } from '../../indicators/market/plausible.ts';
import { type Turnover, volumeRatios, volumeSignalOf } from '../../indicators/market/ratios.ts';
import { type Failure, failed, type Result, success } from '../failure.ts';
import { coingecko, type VolumeRow } from '../providers/coingecko.ts';
import { optional } from '../read.ts';
import type { Job, Round } from '../sources/job.ts';
import { firstOf } from '../sources/polling/ask.ts';
import type { IndicatorFields } from '../topics/indicators/table.ts';
import { LastAccepted, type Market, missingInput, settled } from './context.ts';
import { ChartRecord } from './records.ts';

const name = 'futures-spot-volume-ratio';
const every = minute;
/** Poll interval of CoinGecko while it is the fallback, ms: it allows few calls. */
const standInEvery = 5 * minute;

interface Point {
  ratio: number | null;
  futures_volume_24h_usd: number | null;
  spot_volume_24h_usd: number | null;
}

/** The turnovers of either source; US dollars are null where only the ratio is known. */
interface Volumes {
  fields: IndicatorFields<typeof name>;
  point: Point;
  source: string;
  received: number;
}

/** Turnovers without those of exchanges whose sum jumped, which are named. */
function accepted(rows: readonly (Turnover & { at: number })[], last: LastAccepted, now: number) {
  const sums = new Map<string, number>();
  const keyOf = ({ exchange, kind }: Turnover) => `${exchange}/${kind}`;
  for (const row of rows) {
    sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.volume_24h_usd);
  }
  // A sum of zero says nothing.
  const stated = [...sums].filter(([, sum]) => sum > 0);
  const valid = new Set(
    stated.filter(([key, sum]) => last.accepts(key, sum, now)).map(([key]) => key),
  );
  const refused = stated.map(([key]) => key).filter((key) => !valid.has(key));
  return {
    rows: rows.filter((row) => valid.has(keyOf(row))),
    refused: [...new Set(refused.map((key) => key.split('/', 1)[0] ?? key))],
  };
}

const pointOf = ({ ratio, futures_volume_24h_usd, spot_volume_24h_usd }: Point): Point => ({
  ratio,
  futures_volume_24h_usd,
  spot_volume_24h_usd,
});

/** The turnovers of our exchanges; null while either side is missing. */
function own({ tickers, context }: Market, last: LastAccepted, now: number): Volumes | null {
  const { rows, refused } = accepted(tickers.turnovers(now), last, now);
  const ratios = volumeRatios(rows);
  if (ratios.ratio === null || ratios.futures_volume_24h_usd === 0) return null;
  const received = rows.reduce((newest, { at }) => Math.max(newest, at), 0);
  context.status.standby(name, [coingecko.id]);
  context.status.success(name, 'exchanges', { asked: received, received, rows: rows.length });
  const point = pointOf(ratios);
  return {
    fields: { ...ratios, excluded_exchanges: [...new Set([...refused, ...tickers.partial(now)])] },
    point,
    source: 'exchanges',
    received,
  };
}

const sumOf = (rows: readonly VolumeRow[], market: VolumeRow['market']) =>
  rows.filter((row) => row.market === market).reduce((sum, row) => sum + row.volume_24h_btc, 0);

function volumeDoubt(rows: readonly VolumeRow[]): string | null {
  const ratio = quotientOf(sumOf(rows, 'futures'), sumOf(rows, 'spot'));
  return ratio !== null && ratio > 0.05 && ratio < 100 ? null : 'no possible ratio';
}

async function standIn(
  { context, tickers }: Market,
  { now, signal }: Round,
): Promise<Result<Volumes>> {
  const candidate = {
    upstream: coingecko.id,
    poll: coingecko.polls.volumes,
    doubt: volumeDoubt,
  };
  const found = await firstOf(context, name, [candidate], { signal });
  if (!found.ok) return found;
  const { rows, received, source } = found.value;
  const [futures, spot] = [sumOf(rows, 'futures'), sumOf(rows, 'spot')];
  const ratio = quotientOf(futures, spot);
  if (ratio === null) return failed('shape', 'no volumes');
  const price = tickers.price('BTC', now)?.price ?? null;
  const point = {
    ratio,
    futures_volume_24h_usd: price && futures * price,
    spot_volume_24h_usd: price && spot * price,
  };
  const groups = { by_asset: [], by_exchange: [], signal: volumeSignalOf(ratio) };
  const fields = { ...point, ...groups, excluded_exchanges: [] };
  return success({ fields, point, source, received });
}

/** The job. */
export function volumesJob(at: Market): Job {
  const { context, charts } = at;
  const lastTurnovers = new LastAccepted(rules.turnover);
  const recorder = new ChartRecord(at, {
    key: name,
    columns: { ratio: optional, futures_volume_24h_usd: optional, spot_volume_24h_usd: optional },
    step: hour,
  });
  let stoodInAt = 0;
  const tell = async (found: Volumes): Promise<Failure | null> => {
    const { fields, point, source, received } = found;
    const row = { timestamp: received, ...point };
    const isOwn = source !== coingecko.id;
    // CoinGecko's exchanges are others: its ratio is not a point of our series.
    if (isOwn) await recorder.add(row);
    return charts.publish({
      reading: {
        name,
        fields,
        source,
        updated_at: received,
        received_at: received,
        live: isOwn ? { ...row, provisional: true } : null,
      },
      every,
      ...(await recorder.chart()),
    });
  };
  return {
    name,
    every,
    wait: (_now, signal) => settled(at, signal),
    async run(round) {
      const { now } = round;
      const found = own(at, lastTurnovers, now);
      if (found) return tell(found);
      context.status.failure(name, 'exchanges', missingInput('one side has no turnover'));
      if (now - stoodInAt < standInEvery) return null;
      const other = await standIn(at, round);
      if (!other.ok) return other.failure;
      stoodInAt = now;
      return tell(other.value);
    },
  };
}
