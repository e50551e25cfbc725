/**
 * Questions in Hyperliquid's own form, passed on as they are: public market data alone.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */
import { minute } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import { isExact, isRecord } from '../../read.ts';
import type { SourceQuery } from '../../sources/venue.ts';
import type { HyperliquidInfoParams } from '../../topics/hyperliquid.ts';
import { allIntervals, intervals } from '../../topics/index.ts';
import { type Ask, info } from './markets.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a field of a question has a value that it may have. */
type Check = (value: unknown) => boolean;

const isName = (most: number): Check => {
  const form = new RegExp(`^[\\w@:#+*?./-]{0,${most}}$`);
  return (value) => typeof value === 'string' && form.test(value);
};
const coin = isName(64);
const isTime: Check = (value) => typeof value === 'number' && isExact(value) && value >= 0;
const isInterval: Check = (value) => allIntervals.some((one) => one === value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const isDigits = optional((value) => [1, 2, 3, 4, 5].some((one) => one === value));
const dex = optional(isName(32));

/** A question: its fields, what it weighs, and how long its answer is given to others, ms. */
interface Kind {
  fields?: Readonly<Record<string, Check>>;
  weight?: number | ((asked: Fields) => number);
  ttl: number;
}

const range = { startTime: isTime, endTime: optional(isTime) };
/** Candles of one answer, and rows of the others. */
const most = { candles: 5_000, rows: 500 };

/** Twenty, and one for each sixty candles: without an end, or of a length that is not known, those of a whole answer. */
function weightOfCandles({ req }: Fields): number {
  const { startTime, endTime, interval } = Object(req);
  const named = allIntervals.find((one) => one === interval);
  const length = named === undefined ? 1 : intervals[named];
  const rows = typeof endTime === 'number' ? (endTime - startTime) / length : most.candles;
  return 20 + Math.ceil(Math.min(most.candles, Math.max(1, rows)) / 60);
}

const request = { coin, interval: isInterval, ...range };
const isCandleRequest: Check = (value) => isRecord(value) && fits(value, request);
const lists = { ttl: minute };
const values = { ttl: 1_000 };

/** What may be asked. A question about an account, or of another type, is none. */
const kinds: Readonly<Record<string, Kind>> = {
  meta: { ...lists, fields: { dex } },
  allPerpMetas: lists,
  spotMeta: lists,
  perpDexs: lists,
  perpCategories: lists,
  perpDexLimits: { ...lists, fields: { dex } },
  perpsAtOpenInterestCap: { ...lists, fields: { dex } },
  exchangeStatus: values,
  metaAndAssetCtxs: { ...values, fields: { dex } },
  spotMetaAndAssetCtxs: values,
  allMids: { ...values, fields: { dex }, weight: 2 },
  predictedFundings: { ttl: 10_000 },
  l2Book: { ttl: 500, fields: { coin, nSigFigs: isDigits, mantissa: isDigits }, weight: 2 },
  recentTrades: { ...values, fields: { coin }, weight: 25 },
  candleSnapshot: { ...values, fields: { req: isCandleRequest }, weight: weightOfCandles },
  fundingHistory: { ttl: minute, fields: { coin, ...range }, weight: 20 + most.rows / 20 },
};

/** The types of questions that are passed on. */
export const publicTypes = Object.keys(kinds);

const fits = (asked: Fields, fields: Readonly<Record<string, Check>>): boolean =>
  Object.entries(fields).every(([name, check]) => check(asked[name]));

const kindOf = ({ type }: Fields): Kind | undefined =>
  typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;

/** The question with its own fields alone, in one order, so that equal ones are one; null where it is none that is passed on. */
export function publicQuestion(body: unknown): HyperliquidInfoParams | null {
  const kind = isRecord(body) ? kindOf(body) : undefined;
  if (!isRecord(body) || kind === undefined) return null;
  const { fields = {} } = kind;
  if (!fits(body, fields)) return null;
  const given = Object.keys(fields).filter((name) => body[name] !== undefined);
  const asked = Object.fromEntries(given.map((name) => [name, body[name]]));
  return { question: JSON.stringify({ type: body.type, ...asked }) };
}

const questionOf = ({ question }: HyperliquidInfoParams) => {
  const asked: unknown = JSON.parse(question);
  const kind = isRecord(asked) ? kindOf(asked) : undefined;
  if (!isRecord(asked) || kind === undefined) throw new ShapeError('no question');
  return { asked, kind };
};

/** The text of the answer, as it came. */
export const publicInfo: SourceQuery<'hyperliquidInfo', Ask> = {
  about: 'source',
  ttl: (params) => questionOf(params).kind.ttl,
  requests(params) {
    const { asked, kind } = questionOf(params);
    const { weight = 20 } = kind;
    return [{ ...info(asked, typeof weight === 'function' ? weight(asked) : weight), text: true }];
  },
  parse([text]) {
    if (typeof text !== 'string') throw new ShapeError('no text');
    return text;
  },
};
