/** The instrument lists of all exchanges: their names, and the answers of `/v1/instruments`. */
import type { Instrument, Reading } from '../../actors/topics/index.ts';
import * as s from '../../actors/topics/schema.ts';
import { type AssetClass, marketClasses, symbolsOfTicker } from '../../config/assets/symbols.ts';
import { MarketNames, settlementOf, unifiedName } from '../../indicators/market/market-names.ts';
import { jsonOf } from '../answers/json.ts';
import { JsonText } from '../answers/json-text.ts';
import { Source } from '../answers/source.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';

export const instrumentKinds = ['spot', 'perpetual', 'future', 'other'] as const;
export const instrumentClasses = [...marketClasses, 'leveraged'] as const;

const isOf = ({ asset_class }: Instrument, of: AssetClass | undefined): boolean =>
  of === undefined || (asset_class ?? 'crypto') === of;

const instrument = s.object({
  exchange: s.exchange,
  market: s.ownSymbol,
  name: s.stringOrNull('The name that the exchange gives it, where its symbol is a mere number.'),
  unified: s.stringOrNull(
    '`BTC/USDT` for spot, `BTC/USDT:USDT` (linear) or `BTC/USD:BTC` (inverse) for perpetuals, `BTC/USD:BTC-260327` for dated futures; null for other kinds.',
  ),
  class: s.oneOf(instrumentClasses, 'What it is about. Leveraged tokens are not followed.'),
  dex: s.stringOrNull('The dex of Hyperliquid on which a builder lists it; null for all others.'),
  kind: s.oneOf(
    instrumentKinds,
    'Future: dated, and part of /v1/futures/term-structure only. Other: listed, but not followed, or delisted (/v1/instruments/delisted).',
  ),
  base: s.string(
    'Base asset in its usual ticker: XBT is BTC, 1000PEPE is PEPE. What is no coin has its class behind it (`TSLA.STOCK`), a market of a builder its dex before it (`XYZ:TSLA`): `symbol` of other answers.',
  ),
  quote: s.quote,
  settle: s.stringOrNull('What settles a contract, of builders their collateral; null for others.'),
  contract_size: s.numberOrNull(
    'Size of one contract: units of the quote where an inverse contract is counted in them, else base assets (1000 of 1000PEPE). Null for spot.',
  ),
  margin_type: s.oneOf(['linear', 'inverse', null], 'Inverse: settled in the base. Null for spot.'),
  expiry: s.integerOrNull('When a dated future expires, Unix ms; null for other kinds.'),
  funding_interval_hours: s.numberOrNull('Between two fundings; null where the list has none.'),
  tick_size: s.numberOrNull(
    'Smallest step of a price, in the quote asset (1e-10 of PEPE where 1000PEPE moves by 1e-7); null where the instrument list does not state it, or where it depends on the price.',
  ),
  max_leverage: s.numberOrNull('A multiple of the margin; null where the list has none.'),
});

export const instrumentsAnswer = s.object({
  count: s.count,
  instruments: s.list(instrument, 'By exchange.'),
});
type Answer = s.Static<typeof instrumentsAnswer>;

function itemOf(exchange: string, row: Instrument): s.Static<typeof instrument> {
  const { market, name = null, kind, symbol, quote, scale, contract, inverse } = row;
  const { asset_class = 'crypto', dex = null } = row;
  const isSpot = kind === 'spot';
  return {
    exchange,
    market,
    name,
    unified: unifiedName(row),
    class: asset_class,
    dex,
    kind,
    base: symbol,
    quote,
    settle: isSpot || kind === 'other' ? null : settlementOf(row),
    contract_size: isSpot ? null : inverse ? contract : contract * scale,
    margin_type: isSpot ? null : settlementOf(row) === symbol ? 'inverse' : 'linear',
    expiry: row.expiry ?? null,
    funding_interval_hours: row.funding_hours,
    tick_size: row.tick ?? null,
    max_leverage: row.max_leverage ?? null,
  };
}

/** Items as JSON text, separated by commas. */
interface Texts {
  text: string;
  count: number;
}

const textsOf = (exchange: string, rows: readonly Instrument[]): Texts => ({
  text: rows.map((row) => jsonOf(itemOf(exchange, row))).join(','),
  count: rows.length,
});

function answerOf(texts: readonly Texts[], asOf: number): JsonText<Answer> {
  const found = texts.filter(({ count }) => count > 0);
  const count = found.reduce((sum, one) => sum + one.count, 0);
  const items = found.map(({ text }) => text).join(',');
  return new JsonText(`{"count":${count},"instruments":[${items}]}`, asOf);
}

/** The lists of one exchange. Names and texts are made when they are asked for after a change. */
class Lists {
  readonly #id: string;
  readonly #parts = new Map<string, Reading<Instrument>>();
  readonly #texts = new Map<string, Texts>();
  #names: MarketNames<Instrument> | null = null;

  constructor(id: string) {
    this.#id = id;
  }

  accept(reading: Reading<Instrument>): boolean {
    if ((this.#parts.get(reading.part)?.received ?? 0) > reading.received) return false;
    this.#parts.set(reading.part, reading);
    this.#texts.clear();
    this.#names = null;
    return true;
  }

  rows(): Instrument[] {
    return [...this.#parts.values()].flatMap(({ rows }) => rows);
  }

  names(): MarketNames<Instrument> {
    this.#names ??= new MarketNames(this.rows());
    return this.#names;
  }

  texts(kind: Instrument['kind'], of: AssetClass | undefined): Texts {
    const key = `${kind} ${of ?? ''}`;
    const known = this.#texts.get(key);
    if (known) return known;
    const made = textsOf(
      this.#id,
      this.rows().filter((row) => row.kind === kind && isOf(row, of)),
    );
    this.#texts.set(key, made);
    return made;
  }
}

/** Which instruments are wanted; all where nothing is given. */
interface InstrumentQuery {
  exchange?: string | undefined;
  symbol?: string | undefined;
  kind?: Instrument['kind'] | undefined;
  class?: AssetClass | undefined;
}

/** A market that its exchange traded once, as it was then. */
export interface DelistedMarket extends Instrument {
  exchange: string;
  /** The first list without it, Unix ms. */
  at: number;
}

/** The delisted markets of an exchange. */
const delistedOf = (exchange: string, rows: readonly Instrument[]): DelistedMarket[] =>
  rows.flatMap((row) =>
    row.delisted ? [{ ...row, exchange, at: row.delisted.at, kind: row.delisted.kind }] : [],
  );

/** The instruments of every exchange. */
export class InstrumentsView {
  readonly #exchanges = new Map<string, Lists>();
  readonly source = new Source();
  #newest = 0;

  /** Takes a list; one older than the current one is ignored. */
  accept(reading: Reading<Instrument>): void {
    const lists = this.#exchanges.get(reading.source) ?? new Lists(reading.source);
    if (!lists.accept(reading)) return;
    this.#newest = Math.max(this.#newest, reading.received);
    this.#exchanges.set(reading.source, lists);
    this.source.change();
  }

  /** The names of the markets of one exchange; undefined while there is no list. */
  names(exchange: string): MarketNames<Instrument> | undefined {
    return this.#exchanges.get(exchange)?.names();
  }

  /** The instruments of one exchange; none while there is no list. */
  of(exchange: string): Instrument[] {
    return this.#exchanges.get(exchange)?.rows() ?? [];
  }

  /** The instruments of each exchange. */
  *all(): Iterable<readonly [exchange: string, Instrument[]]> {
    for (const [id, lists] of this.#exchanges) yield [id, lists.rows()];
  }

  /** The delisted markets that are wanted, the newest first; null while no list at all is known. */
  delisted(query: InstrumentQuery): DelistedMarket[] | ApiError | null {
    const { exchange, symbol, kind, class: of } = query;
    if (this.#exchanges.size === 0) return null;
    const among = [...this.#exchanges].filter(([id]) => exchange === undefined || id === exchange);
    const found = among.flatMap(([id, lists]) => {
      const rows = delistedOf(id, lists.rows());
      return symbol === undefined ? rows : new MarketNames(rows).matching(symbol);
    });
    const meant = found.filter((row) => row.kind === (kind ?? row.kind) && isOf(row, of));
    const known = found.length > 0 || symbol === undefined ? null : this.read({ symbol });
    return known && isApiError(known) ? known : meant.sort((a, b) => b.at - a.at);
  }

  /** The instruments that are wanted; null while no list at all is known. */
  read({ exchange, symbol, kind, class: of }: InstrumentQuery): JsonText<Answer> | ApiError | null {
    if (this.#exchanges.size === 0) return null;
    const among = [...this.#exchanges].filter(([id]) => exchange === undefined || id === exchange);
    if (symbol === undefined) {
      const all = among.map(([, lists]) => lists);
      if (all.length > 0) return this.#list(all, kind, of);
      return apiError('warming_up', `${exchange} has no list yet`);
    }
    // A ticker that no coin has means what is no coin.
    for (const name of [symbol, ...symbolsOfTicker(symbol.toUpperCase())]) {
      const texts = among.map(([id, lists]) => {
        const rows = lists.names().matching(name);
        const meant = rows.filter((row) => row.kind === (kind ?? row.kind) && isOf(row, of));
        return textsOf(id, meant);
      });
      if (texts.some(({ count }) => count > 0)) return answerOf(texts, this.#newest);
    }
    const where = exchange === undefined ? '' : ` for ${exchange}`;
    return apiError('unknown_symbol', `unknown symbol '${symbol}'${where}`);
  }

  /** All instruments of a kind. */
  #list(
    all: readonly Lists[],
    kind: Instrument['kind'] | undefined,
    of: AssetClass | undefined,
  ): JsonText<Answer> {
    const kinds = kind === undefined ? instrumentKinds : [kind];
    const texts = all.flatMap((lists) => kinds.map((name) => lists.texts(name, of)));
    return answerOf(texts, this.#newest);
  }
}
