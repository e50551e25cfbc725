/** Questions and subscriptions about public market data in Hyperliquid's own form: which there are, and what fields they take. */
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

/** The fields of each type of subscription. Books in groups of prices, and fast ones, have no sign of that in their frames, so they are none. */
const subscribedOf: Readonly<Record<string, Checks>> = {
  allMids: { dex },
  l2Book: { coin },
  trades: { coin },
  bbo: { coin },
  candle: { coin, interval: oneOf(allIntervals) },
  activeAssetCtx: { coin },
};

/** The types of subscriptions that are passed on. */
export const subscriptionTypes = Object.keys(subscribedOf);

const fits = (asked: Readonly<Record<string, unknown>>, checks: Checks): boolean =>
  Object.entries(checks).every(([name, check]) => check(asked[name]));

/** JSON of a body with its own fields alone, in one order, so that equal ones are one; null where its type has other fields. */
function normal(body: unknown, types: Readonly<Record<string, Checks>>): string | null {
  if (!isObject(body) || typeof body.type !== 'string') return null;
  const checks = Object.hasOwn(types, body.type) ? types[body.type] : undefined;
  if (checks === undefined || !fits(body, checks)) return null;
  const given = Object.keys(checks).filter((name) => body[name] !== undefined);
  const asked = Object.fromEntries(given.map((name) => [name, body[name]]));
  return JSON.stringify({ type: body.type, ...asked });
}

/** The question in its normal form; null where it is none that is passed on. */
export function publicQuestion(body: unknown): HyperliquidInfoParams | null {
  const question = normal(body, fieldsOf);
  return question === null ? null : { question };
}

const isNone = optional(() => false);

/** The subscription in its normal form, without the empty name of the exchange itself; null where it is none that is passed on. */
export function publicSubscription(body: unknown): string | null {
  if (!isObject(body) || !isNone(body.nSigFigs) || !isNone(body.mantissa) || body.fast) return null;
  return normal({ ...body, dex: body.dex || undefined }, subscribedOf);
}

/** Asks for the frames of subscriptions, each named by its normal form. */
export interface RelayedParams {
  /** Of which record the numbers are; 0 before the first answer. Another one may lack frames after it. */
  began: number;
  /** The number of the next frame of each; 0 for one that is new. */
  next: Readonly<Record<string, number>>;
}

/** Frames, oldest first, and the number of the one after them; nothing of a subscription without news. */
export interface RelayedReply {
  began: number;
  /** Some of them cannot be had: as many others as may be are followed. */
  isFull?: true;
  frames: Readonly<Record<string, { next: number; texts: readonly string[] }>>;
}
