/**
 * Questions in Hyperliquid's own form, passed on as they are: what each weighs, and how long its answer is given to others.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */
import { minute } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import { isRecord, text, type WireRow } from '../../read.ts';
import type { SourceQuery } from '../../sources/queries/forms.ts';
import type { HyperliquidInfoParams } from '../../topics/hyperliquid-info.ts';
import { allIntervals, intervals } from '../../topics/index.ts';
import { type Ask, info } from './markets.ts';

/** Candles of one answer, and rows of the others. */
const most = { candles: 5_000, rows: 500 };

/** Twenty, and one for each sixty candles: without an end those of a whole answer. */
function weightOfCandles({ req }: WireRow): number {
  const { startTime, endTime, interval } = Object(req);
  const named = allIntervals.find((one) => one === interval);
  const isBounded = named !== undefined && typeof endTime === 'number';
  const rows = isBounded ? (endTime - startTime) / intervals[named] : most.candles;
  return 20 + Math.ceil(Math.min(most.candles, Math.max(1, rows)) / 60);
}

/** Weights that are not 20. */
const weights: Readonly<Record<string, number>> = {
  allMids: 2,
  l2Book: 2,
  recentTrades: 25,
  fundingHistory: 20 + most.rows / 20,
};
/** Of values that change all the time, ms; lists and settled funding are given to others for a minute. */
const lives: Readonly<Record<string, number>> = {
  l2Book: 500,
  allMids: 1_000,
  exchangeStatus: 1_000,
  metaAndAssetCtxs: 1_000,
  spotMetaAndAssetCtxs: 1_000,
  recentTrades: 1_000,
  candleSnapshot: 1_000,
  predictedFundings: 10_000,
};

function questionOf({ question }: HyperliquidInfoParams): WireRow {
  const asked: unknown = JSON.parse(question);
  if (!isRecord(asked)) throw new ShapeError('no question');
  return asked;
}

/** The text of the answer, as it came. */
export const publicInfo: SourceQuery<'hyperliquidInfo', Ask> = {
  about: 'source',
  ttl: (params) => lives[text(questionOf(params).type)] ?? minute,
  requests(params) {
    const asked = questionOf(params);
    const type = text(asked.type);
    const weight = type === 'candleSnapshot' ? weightOfCandles(asked) : (weights[type] ?? 20);
    return [{ ...info(asked, weight), text: true }];
  },
  parse([answer]) {
    if (typeof answer !== 'string') throw new ShapeError('no text');
    return answer;
  },
};
