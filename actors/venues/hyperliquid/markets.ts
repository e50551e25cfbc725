/**
 * The tables of Hyperliquid: markets and their contexts come apart and are joined here.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */
import { assetOfToken, isShare } from '../../../config/assets/tokens.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, at, bulk, list, positive, required, text, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Faults } from '../../upstream/faults.ts';
import { listing } from '../listings.ts';
import { markets } from '../markets.ts';
import { nextHour, type PriceTable } from '../tables.ts';

/**
 * Refusals are plain text, and their status decides; an unknown coin is the JSON value null with 200 (order book) or
 * 500 (candles).
 */
const faults: Faults = {
  name: 'Hyperliquid',
  when: (_, status, body) =>
    (body === null || body === 'null') && (status === 200 || status === 500),
  means: 'unknown_instrument',
};

export const apis = {
  info: {
    hosts: ['https://api.hyperliquid.xyz'],
    budgets: { default: { weight: 1200, per: 60_000 } },
    faults,
  },
  // The leaderboard alone: about 40 MB, asked for every hour.
  stats: {
    hosts: ['https://stats-data.hyperliquid.xyz'],
    budgets: { default: { weight: 10, per: 60_000 } },
    faults,
    maxBody: 96 * 2 ** 20,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

/** One question; all of them are posted to one path. */
export const info = (body: Readonly<Record<string, unknown>>, weight: number): Ask => ({
  api: 'info',
  path: '/info',
  method: 'POST',
  body,
  weight,
});

const universe = '0.universe';
const universeOf = (body: unknown) => bulk(at(body, universe), 'universe');
const contextsOf = (body: unknown) => list(at(body, '1'), 'contexts');

const perps = info({ type: 'metaAndAssetCtxs' }, 20);
const pairs = info({ type: 'spotMetaAndAssetCtxs' }, 20);

/** The assets of tokens by their positions; `path` leads to them. */
export function assetsIn(body: unknown, path: string): ReadonlyMap<unknown, string> {
  const tokens = list(at(body, path), 'tokens').map(asRow);
  return new Map(
    tokens.map(({ index, name, fullName }) => [
      index,
      assetOfToken({ index, name: text(name), fullName }),
    ]),
  );
}

/** The positions of the tokens that are shares. */
const sharesIn = (tokens: unknown): ReadonlySet<unknown> =>
  new Set(
    list(tokens, 'tokens')
      .map(asRow)
      .filter(isShare)
      .map(({ index }) => index),
  );

/** What a list says of a perpetual. All of them are charged by the hour. */
export function perpetualFacts(row: WireRow, base: string) {
  const leverage = positive(row.maxLeverage);
  return {
    kind: row.isDelisted === true ? ('other' as const) : ('perpetual' as const),
    base,
    fundingHours: 1,
    ...(leverage > 0 && { max_leverage: leverage }),
    ...(row.onlyIsolated === true && { isolated_only: true as const }),
  };
}

export const instruments = {
  // The base and the quote of a pair are the positions of two tokens.
  spot: listing({
    venue: 'hyperliquid',
    requests: pairs,
    rows: universe,
    id: 'name',
    extra: ([body]) => ({
      assets: assetsIn(body, '0.tokens'),
      shares: sharesIn(at(body, '0.tokens')),
    }),
    read({ tokens }, _market, { assets, shares }) {
      const [base, quote] = Array.isArray(tokens) ? tokens : [];
      return {
        kind: 'spot',
        base: assets.get(base) ?? '',
        quote: assets.get(quote) ?? '',
        ...(shares.has(base) && { asset_class: 'stock' as const }),
      };
    },
  }),
  perp: listing({
    venue: 'hyperliquid',
    requests: perps,
    rows: universe,
    id: 'name',
    read: (row, market) => ({ ...perpetualFacts(row, market), quote: 'USDC' }),
  }),
};

/**
 * Spot pairs with their contexts. There are more contexts than pairs, so that they are found by name;
 * older answers, without names, had as many.
 */
function pairRows([body]: readonly unknown[]): WireRow[] {
  const contexts = contextsOf(body).map(asRow);
  const named = new Map(contexts.map((context) => [text(context.coin), context]));
  return universeOf(body).map((pair, i) => {
    const name = text(asRow(pair).name);
    const unnamed = contexts[i]?.coin === undefined ? contexts[i] : undefined;
    return { ...(named.get(name) ?? unnamed), name };
  });
}

/** Perpetuals of a dex with their contexts, which stand at the same positions; delisted ones stay in the list. */
function perpRows(body: unknown): WireRow[] {
  const contexts = contextsOf(body);
  const all = universeOf(body);
  if (contexts.length !== all.length) throw new ShapeError('contexts: not one a market');
  return all.flatMap((value, i) => {
    const { name, isDelisted } = asRow(value);
    return isDelisted === true ? [] : [{ ...asRow(contexts[i]), name }];
  });
}

/** The perpetuals of the dexes that could be asked. */
function allPerpRows(bodies: readonly unknown[]): WireRow[] {
  const given = bodies.filter((body) => body !== undefined);
  if (given.length === 0) throw new ShapeError('contexts: none');
  return given.flatMap(perpRows);
}

/**
 * No last trade is published: the middle of the book, or the mark price while one side is empty (`midPx` is null).
 * `impactPxs` are prices of a fixed amount, no best bid and ask.
 */
const middle = ({ midPx, markPx }: WireRow): unknown => (midPx === null ? markPx : midPx);

const price = {
  last: middle,
  open: 'prevDayPx',
  base: 'dayBaseVlm',
  quote: 'dayNtlVlm',
} satisfies PriceTable;

/** True for a pair that has no quotes and no trades: its mark price may be very old. */
const isIdle = ({ midPx, dayNtlVlm }: WireRow): boolean =>
  midPx === null && required(dayNtlVlm) === 0;

export const spot = markets({
  rows: pairRows,
  id: 'name',
  price: {
    ...price,
    last: (row) => (isIdle(row) ? null : positive(middle(row))),
    untraded: 'dayNtlVlm',
  },
});

export const spotPrices = spot.poll(pairs);

export const perp = markets({
  rows: allPerpRows,
  id: 'name',
  price,
  // The running rate of the hour, which is charged when the hour is full.
  derivative: {
    mark: 'markPx',
    index: 'oraclePx',
    rate: 'funding',
    hours: () => 1,
    next: nextHour,
    premium: 'premium',
  },
  // Base units of one side.
  interest: { base: 'openInterest', mark: 'markPx' },
});

export const perpetuals = perp.poll(perps);

/** A level of an order book. */
export const bookLevel = { price: 'px', quantity: 'sz' };
