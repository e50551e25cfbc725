import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Budget, Query } from '../../upstream/request.ts';

export type Perpetuals = 'linear' | 'inverse';
export type PartName = 'spot' | Perpetuals;

const perpetualPaths = (prefix: string) => ({
  instruments: `${prefix}/contracts`,
  prices: `${prefix}/ticker`,
  premium: `${prefix}/premiumIndex`,
  interest: `${prefix}/openInterest`,
  book: `${prefix}/depth`,
});

/** Every endpoint that we ask; each has a limit of its own. */
export const paths = {
  spot: {
    instruments: '/openApi/spot/v1/common/symbols',
    prices: '/openApi/spot/v1/ticker/24hr',
    book: '/openApi/spot/v1/market/depth',
    candles: '/openApi/spot/v1/market/kline',
  },
  linear: {
    ...perpetualPaths('/openApi/swap/v2/quote'),
    candles: '/openApi/swap/v3/quote/klines',
  },
  inverse: {
    ...perpetualPaths('/openApi/cswap/v1/market'),
    candles: '/openApi/cswap/v1/market/klines',
  },
} as const;

/** Refusals come with any status, 200 included. */
const faults: Faults = {
  name: 'BingX',
  at: 'code',
  ok: [0],
  codes: {
    100410: 'rate_limited',
    100403: 'blocked',
    100419: 'blocked',
    100500: 'unavailable',
    100503: 'unavailable',
    109415: 'unknown_instrument',
    109425: 'unknown_instrument',
  },
  message: 'msg',
  // Invalid parameters: the message names the one.
  patterns: [{ code: /^(80014|100400|109400)$/, text: /symbol/i, means: 'unknown_instrument' }],
};

/** One request a second for each endpoint: more is answered with 100410, and with bans that grow. */
const slow: Budget = { weight: 1, per: 1000 };
const endpoints = Object.values(paths).flatMap((part) => Object.values(part));
type Path = (typeof endpoints)[number];
const budgets: Apis[string]['budgets'] = {
  default: slow,
  ...Object.fromEntries(endpoints.map((path) => [path, slow])),
};

export const apis = {
  rest: {
    // The second is for failures of the network only.
    hosts: ['https://open-api.bingx.com', 'https://open-api.bingx.pro'],
    budgets,
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

/**
 * The inverse API refuses (104414) requests without a timestamp; none of ours is signed. The value is in
 * where the time of the request is not given.
 */
export const stamp = (path: string, now = 1_750_000_000_000): Query =>
  path.startsWith('/openApi/cswap/') ? { timestamp: now } : {};

export const get = (path: Path, query: Query, now?: number): Ask => ({
  api: 'rest',
  path,
  budget: path,
  query: { ...query, ...stamp(path, now) },
});
