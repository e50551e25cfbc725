/**
 * How Hyperliquid's lists are read: markets and their contexts come apart and are joined here.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */
import { openOf } from '../../../indicators/market/candles.ts';
import { ShapeError } from '../../failure.ts';
import { bulk, field, isRecord, list, positive, required, text, type WireRow } from '../../read.ts';
import type { Parsed } from '../../sources/define.ts';
import {
  type DerivativeRow,
  type Instrument,
  intervals,
  type OpenInterestRow,
  type PriceRow,
} from '../../topics/index.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrument,
  instrumentRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical } from '../symbols.ts';

const asRow = (value: unknown): WireRow => (isRecord(value) ? value : {});
const universeOf = (body: unknown) => bulk(field(field(body, 0), 'universe'), 'universe');
const contextsOf = (body: unknown) => list(field(body, 1), 'contexts');

/** A perpetual as its name states it; kPEPE is a thousand PEPE. */
export const perpOf = (name: string): Named | null =>
  name === '' ? null : { market: name, kind: 'perpetual', quote: 'USDC', ...canonical(name) };

/** Perpetuals with their contexts, which stand at the same positions; delisted ones stay in the list. */
export function perpRows(body: unknown): WireRow[] {
  const contexts = contextsOf(body);
  const universe = universeOf(body);
  if (contexts.length !== universe.length) throw new ShapeError('contexts: not one a market');
  return universe.flatMap((value, i) => {
    const market = asRow(value);
    return market.isDelisted === true ? [] : [{ name: market.name, context: contexts[i] }];
  });
}

/** True for a pair that has no quotes and no trades: its mark price may be very old. */
export const isIdle = (row: WireRow): boolean => {
  const { midPx, dayNtlVlm } = asRow(row.context);
  return midPx === null && required(dayNtlVlm) === 0;
};

/**
 * Spot pairs with their contexts. There are more contexts than pairs, so that they are found by name;
 * older answers, without names, had as many.
 */
export function pairRows(body: unknown): WireRow[] {
  const contexts = contextsOf(body).map(asRow);
  const named = new Map(contexts.map((context) => [text(context.coin), context]));
  return universeOf(body).map((pair, i) => {
    const name = text(asRow(pair).name);
    const unnamed = contexts[i]?.coin === undefined ? contexts[i] : undefined;
    const context = named.get(name) ?? unnamed ?? {};
    return { name, context };
  });
}

/** How a context is read; `fromId` where the name alone states the asset. */
export const reader = <M extends Named, Row>(
  read: (context: WireRow, market: M) => Row | null,
  fromId?: Reader<M, Row>['fromId'],
): Reader<M, Row> => ({
  id: by('name'),
  read: (row, market) => read(asRow(row.context), market),
  ...(fromId && { fromId }),
});

/**
 * No last trade is published: the middle of the book, or the mark price while one side is empty (`midPx` is null).
 * `impactPxs` are prices of a fixed amount, no best bid and ask.
 */
export function price(context: WireRow, market: Named): PriceRow | null {
  const last = positive(context.midPx === null ? context.markPx : context.midPx);
  const change = changeOf(last, positive(context.prevDayPx));
  return priceOf(market, {
    ...{ last, volume: required(context.dayNtlVlm), change, stated: null },
    base: required(context.dayBaseVlm),
  });
}

/** `funding` is the running rate of the hour; it is charged when the hour is full. */
export const funding =
  (received: number) =>
  (context: WireRow, market: Named): DerivativeRow | null =>
    derivativeOf(market, {
      mark: positive(context.markPx),
      index: positive(context.oraclePx),
      rate: required(context.funding),
      hours: 1,
      next: openOf(received, '1h') + intervals['1h'],
      stated: null,
      premium: required(context.premium),
    });

/** Base units of one side. */
export const interest = (context: WireRow, market: Named): OpenInterestRow | null =>
  openInterestOf(market, {
    base: required(context.openInterest),
    value: NaN,
    mark: positive(context.markPx),
    stated: null,
  });

/** Perpetuals, all of which are charged by the hour. */
export const perpInstruments = (body: unknown): Parsed<Instrument> =>
  instrumentRows(universeOf(body), 'name', (row, market) => {
    const leverage = positive(row.maxLeverage);
    return instrument({
      market,
      kind: row.isDelisted === true ? 'other' : 'perpetual',
      base: market,
      quote: 'USDC',
      fundingHours: 1,
      ...(leverage > 0 && { max_leverage: leverage }),
      ...(row.onlyIsolated === true && { isolated_only: true }),
    });
  });

/** Tokens that stand for an asset of another chain, one for one. */
const wrapped: ReadonlyMap<string, string> = new Map([
  ['UBTC', 'BTC'],
  ['UETH', 'ETH'],
  ['USOL', 'SOL'],
  ['UFART', 'FARTCOIN'],
  ['UPUMP', 'PUMP'],
  ['UBONK', 'BONK'],
  ['UUUSPX', 'SPX'],
  ['HPENGU', 'PENGU'],
  ['UXPL', 'XPL'],
  ['UDZ', '2Z'],
  ['USDT0', 'USDT'],
  ['XAUT0', 'XAUT'],
]);

/** Spot pairs, whose base and quote are the positions of two tokens. */
export function pairInstruments(body: unknown): Parsed<Instrument> {
  const tokens = list(field(field(body, 0), 'tokens'), 'tokens').map(asRow);
  const names = new Map(tokens.map((token) => [token.index, text(token.name)]));
  const nameOf = (index: unknown) => {
    const name = names.get(index) ?? '';
    return wrapped.get(name) ?? name;
  };
  return instrumentRows(universeOf(body), 'name', (row, market) => {
    const [base, quote] = Array.isArray(row.tokens) ? row.tokens : [];
    return instrument({
      market,
      kind: 'spot',
      // kHYPE is a staked HYPE, not a thousand: the prefix is one of perpetuals.
      base: nameOf(base).toUpperCase(),
      quote: nameOf(quote),
    });
  });
}
