/** The tables of Lighter: perpetuals and spot in one list. https://apidocs.lighter.xyz */
import {
  asRow,
  at,
  bulk,
  isRecord,
  list,
  positive,
  required,
  text,
  type WireRow,
} from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { type MarketForm, markets } from '../markets.ts';
import { nextHour } from '../tables.ts';

/** `market_id` is a JSON number. */
export const idOf = (row: WireRow): string => {
  const id = required(row.market_id);
  return id >= 0 ? `${id}` : '';
};

/** The perpetuals and spot pairs of `orderBookDetails`. */
export const everything = ([body]: readonly unknown[]): readonly unknown[] =>
  bulk(
    [
      ...list(at(body, 'order_book_details'), 'perpetuals'),
      ...list(at(body, 'spot_order_book_details') ?? [], 'spot'),
    ],
    'markets',
  );

/**
 * The rows with the tokens of those perpetuals that are about no coin: the rows themselves do not state it. `symbol` of a token is what
 * people read (kPEPE), `backend_symbol` the name of the market where it is another.
 */
export function described([body, tokens]: readonly unknown[]): readonly unknown[] {
  const given = tokens === undefined ? [] : bulk(at(tokens, 'tokens'), 'tokens').map(asRow);
  const known = new Map(
    given
      .filter(({ market, asset_type }) => market === 'PERPS' && asset_type === 'RWA')
      .map((token) => [text(token.backend_symbol) || text(token.symbol), token]),
  );
  return everything([body])
    .map(asRow)
    .map((row) => ({ ...row, token: known.get(text(row.symbol)) }));
}

export function kindOf(row: WireRow): Instrument['kind'] {
  const config = isRecord(row.market_config) ? row.market_config : {};
  if (row.status !== 'active' || config.hidden === true) return 'other';
  if (row.market_type === 'spot') return 'spot';
  return row.market_type === 'perp' ? 'perpetual' : 'other';
}

const ticker = {
  id: idOf,
  price: {
    last: 'last_trade_price',
    percent: 'daily_price_change',
    high: 'daily_price_high',
    low: 'daily_price_low',
    base: 'daily_base_token_volume',
    quote: 'daily_quote_token_volume',
    untraded: 'daily_base_token_volume',
  },
} as const satisfies MarketForm;

/**
 * `open_interest` is in base, one side: it grows by as much as a trade opens. The mark price is not to be had over HTTP,
 * so that the last one values it.
 */
export const details = markets({
  ...ticker,
  rows: everything,
  interest: { base: 'open_interest', mark: 'last_trade_price' },
});

/** The list compares Lighter with other exchanges. */
const isOwn = (row: unknown): boolean => !isRecord(row) || row.exchange === 'lighter';

/**
 * `rate` is a fraction per 8 hours, an eighth of which is charged every full hour. Mark and index are not there: they come over
 * WebSocket.
 */
export const rates = markets({
  rows: ([body]) =>
    bulk(bulk(at(body, 'funding_rates'), 'funding rates').filter(isOwn), 'own rates'),
  id: idOf,
  derivative: { rate: 'rate', hours: () => 8, next: nextHour },
});

/**
 * `market_stats`: prices of one contract in quote. The rates beside them are per hour, in percent in one recorded message and a
 * fraction in another: they are left to `funding-rates`. A row without a mark price has no derivative.
 */
export const stats = markets({
  ...ticker,
  derivative: {
    mark: 'mark_price',
    index: ({ mark_price, index_price }) => (positive(mark_price) > 0 ? index_price : null),
  },
});
