/**
 * How Hyperliquid's lists are read: markets and their contexts come apart and are joined here.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint
 */
import { ShapeError } from '../../failure.ts';
import { bulk, field, isRecord, list, positive, required, text, type WireRow } from '../../read.ts';
import type { Parsed } from '../../sources/define.ts';
import type { Instrument } from '../../topics/index.ts';
import { by, instrument, instrumentRows, type Named, type Reader } from '../rows.ts';
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
