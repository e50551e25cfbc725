/** Questions about public market data in Hyperliquid's own form: which there are, and what fields they take. */
import { allIntervals } from '../../indicators/market/intervals.ts';

/** A question in the exchange's own form. */
export interface HyperliquidInfoParams {
  /** JSON of the body of its POST to `/info`. */
  question: string;
}

/** Whether a field of a question has a value that it may have. */
type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (most: number): Check => {
  const form = new RegExp(`^[\\w@:#+*?./-]{0,${most}}$`);
  return (value) => typeof value === 'string' && form.test(value);
};
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

const coin = isName(64);
const dex = optional(isName(32));
const isTime: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isDigits = optional(oneOf([1, 2, 3, 4, 5]));
const range = { startTime: isTime, endTime: optional(isTime) };
const candles = { coin, interval: oneOf(allIntervals), ...range };
const none = {};

/** The fields of each type. A question about an account, or of another type, is none. */
const fieldsOf: Readonly<Record<string, Checks>> = {
  meta: { dex },
  allPerpMetas: none,
  spotMeta: none,
  perpDexs: none,
  perpCategories: none,
  perpDexLimits: { dex },
  perpsAtOpenInterestCap: { dex },
  exchangeStatus: none,
  metaAndAssetCtxs: { dex },
  spotMetaAndAssetCtxs: none,
  allMids: { dex },
  predictedFundings: none,
  l2Book: { coin, nSigFigs: isDigits, mantissa: isDigits },
  recentTrades: { coin },
  candleSnapshot: { req: (value) => isObject(value) && fits(value, candles) },
  fundingHistory: { coin, ...range },
};

/** The types of questions that are passed on. */
export const publicTypes = Object.keys(fieldsOf);

const fits = (asked: Readonly<Record<string, unknown>>, checks: Checks): boolean =>
  Object.entries(checks).every(([name, check]) => check(asked[name]));

/** The question with its own fields alone, in one order, so that equal ones are one; null where it is none that is passed on. */
export function publicQuestion(body: unknown): HyperliquidInfoParams | null {
  if (!isObject(body) || typeof body.type !== 'string') return null;
  const checks = Object.hasOwn(fieldsOf, body.type) ? fieldsOf[body.type] : undefined;
  if (checks === undefined || !fits(body, checks)) return null;
  const given = Object.keys(checks).filter((name) => body[name] !== undefined);
  const asked = Object.fromEntries(given.map((name) => [name, body[name]]));
  return { question: JSON.stringify({ type: body.type, ...asked }) };
}
