/** Parts of the rows about liquidations. */
import type { EventRecord } from '../../views/event-feeds.ts';
import { isApiError, kit, params, s } from '../kit.ts';

export type LiquidationContext = kit.Needs<
  'liquidations' | 'perpetuals' | 'markets' | 'registry' | 'clock' | 'exchanges' | 'candleIntervals'
>;

/** Exchanges that do not publish all: one liquidation a contract and second, the largest at Binance. */
const sampled = ['binance', 'okx'] as const;

export const sampledAmong = (exchange: string | undefined): string[] =>
  sampled.filter((id) => exchange === undefined || id === exchange);

export const side = s.oneOf(['long', 'short'], 'Side of the position that was closed.');
export const symbol = s.string('Base asset.');
export const contract = s.ownId;
export const quantity_base = s.number('Base units.');
export const value_usd = s.number('US dollars; stablecoins count as one each.');
export const timestamp = s.unixMs('When it happened, as the exchange states it.');

/** Fields of an answer about what is recorded. */
export const recordFields = {
  recording_since: s.unixMs('First time of the last 24 hours in which a feed was heard.'),
  connected: s.boolean('Every feed of the answer is heard at present, or was 60 s ago.'),
};

export const sampledExchanges = s.list(
  s.string(),
  'Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds.',
);

/** Further fields where several exchanges are in an answer. */
export const coverageFields = {
  ...recordFields,
  disconnected_exchanges: s.list(s.string(), 'Exchanges whose feed is not heard at present.'),
  sampled_exchanges: sampledExchanges,
  not_covered: s.list(s.string(), 'Exchanges with perpetuals and without a public feed.'),
  coverage: kit.coverage,
};

export const recordOf = ({ recording_since, disconnected }: EventRecord) => ({
  recording_since,
  connected: disconnected.length === 0,
});

/** The record of one exchange or of all, in the fields of `severalFields`. */
export function coverageFieldsOf(
  { liquidations, registry }: LiquidationContext,
  exchange: string | undefined,
  hours: number,
) {
  const record = liquidations.record(exchange, hours);
  const covered = new Set(liquidations.exchanges);
  const listing = params.exchangesWith(registry, 'perpetual');
  return {
    ...recordOf(record),
    disconnected_exchanges: record.disconnected,
    sampled_exchanges: sampledAmong(exchange),
    not_covered: listing.filter((id) => !covered.has(id)),
    coverage: record.coverage,
  };
}

/** Parameters that choose events, of one exchange where it is `only`. */
export const eventParams = (context: LiquidationContext, most: number, only?: string) =>
  ({
    symbol: listedAsset(params.symbolOrAll, context, only === undefined ? only : [only]),
    side: params.word(['long', 'short'], 'Side of the position.'),
    min_usd: params.atLeast(0, 'Least value, US dollars.'),
    limit: params.limit(most, 500, 'Most events.'),
  }) as const satisfies Record<string, kit.Param>;

/**
 * The asset that a client names, looked for on `only`, else on the exchange that it names, else on all; undefined for all. It is the
 * name itself while no list is here: recorded liquidations are answered without one.
 */
export const listedAsset = <const P extends kit.Param>(
  param: P,
  { liquidations, markets }: LiquidationContext,
  only?: readonly string[],
) => ({
  ...param,
  resolve({
    symbol: given,
    exchange,
  }: kit.CheckedValues): { symbol: string | undefined } | kit.ApiError {
    if (given === undefined) return { symbol: undefined };
    const named = exchange === undefined ? liquidations.exchanges : [String(exchange)];
    const found = markets.resolve(String(given), { kind: 'perpetual', exchanges: only ?? named });
    if (!isApiError(found)) return { symbol: found.symbol };
    return found.error === 'warming_up' ? { symbol: String(given).toUpperCase() } : found;
  },
});
