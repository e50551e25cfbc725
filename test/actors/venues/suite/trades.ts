/**
 * The newest public trades that an exchange gives, in our own numbers in its documented form: `test/fixtures/<venue>/trades.txt`. A
 * case is a line of part, market and ccxt's class (`-` where it cannot read this), the body, and a table of what it says, by hand.
 * The newest trade is of 2026-09-21 13:56:40 UTC.
 */
import { readFileSync } from 'node:fs';
import type { Exchange } from 'ccxt';
import type { Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { asRow } from '../../../../actors/read.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument, RecentTrades } from '../../../../actors/topics/index.ts';
import { type Row, rowsIn } from '../../../support/table.ts';
import { answered, type Library, offline } from '../ccxt.ts';
import { instrumentOf } from '../fixtures.ts';
import type { Reading } from '../readings.ts';
import { rounded } from '../stream-suite.ts';

const newest = Date.UTC(2026, 8, 21, 13, 56, 40);
const now = 1_800_000_000_000;

interface Case {
  part: string;
  instrument: Instrument;
  library: Library | null;
  body: unknown;
  /** Id, side, price and quantity, newest first. */
  trades: readonly Row[];
}

function casesOf(venue: Venue): Case[] {
  const file = new URL(`../../../fixtures/${venue.id}/trades.txt`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n\n')
    .map((text) => {
      const [head = '', ...lines] = text.split('\n');
      const [part = '', market = '', library = '-'] = head.split(' ');
      const end = lines.findIndex((line) => line.startsWith('id '));
      return {
        part,
        instrument: instrumentOf(venue, part, market),
        library: library === '-' ? null : (library as Library),
        body: JSON.parse(lines.slice(0, end).join('')),
        trades: rowsIn(lines.slice(end).join('\n')),
      };
    });
}

function read({ queries, id }: Venue, { part, instrument }: Case, body: unknown): RecentTrades {
  const { recentTrades } = queries;
  if (!recentTrades) throw new Error(`${id} has no trades`);
  const { market } = instrument;
  return recentTrades.parse([body], { part, market, instrument, now, limit: 1_000 }, now);
}

/** The bodies for the walk of damage. */
export const tradeReadings = (venue: Venue): Reading[] =>
  casesOf(venue).map((one) => ({
    name: `trades of ${one.part}`,
    bodies: [one.body],
    parse: ([body]) => read(venue, one, body),
  }));

/** The market as ccxt would have loaded it. */
function marketFor(exchange: Exchange, { market, quote, ...facts }: Instrument) {
  const { contract, inverse, kind } = facts;
  const isSwap = kind === 'perpetual';
  const settle = inverse ? 'BTC' : quote;
  const found = exchange.safeMarketStructure({
    id: market,
    base: 'BTC',
    quote,
    baseId: 'BTC',
    quoteId: quote,
    symbol: isSwap ? `BTC/${quote}:${settle}` : `BTC/${quote}`,
    ...(isSwap && { settle, settleId: settle.toLowerCase(), contractSize: contract }),
    type: isSwap ? 'swap' : 'spot',
    spot: !isSwap,
    swap: isSwap,
    contract: isSwap,
    future: false,
    option: false,
    active: true,
    ...(isSwap && { linear: !inverse, inverse }),
    precision: { amount: 1e-8, price: 1e-8 },
    info: {},
  });
  if (!found) throw new Error(`no market ${market}`);
  return found;
}

/** Options by which ccxt asks the same path. */
const options: Readonly<Partial<Record<Library, object>>> = {
  krakenfutures: { fetchTrades: { method: 'publicGetHistory' } },
  mexc: { fetchTradesMethod: 'spotPublicGetTrades' },
};
/** Libraries that ask for something else, so that they read the first row alone. */
const oneRow: ReadonlySet<Library> = new Set(['hyperliquid']);
/** Libraries that lack the ids, or make some of their own. */
const withoutId: ReadonlySet<Library> = new Set(['kucoin', 'mexc']);

/** The trades as ccxt reads them, newest first. */
async function byLibrary({ instrument, body }: Case, library: Library): Promise<Row[]> {
  const exchange = await offline(library);
  Object.assign(exchange.options, options[library]);
  const market = marketFor(exchange, instrument);
  exchange.setMarkets([market]);
  const trades = oneRow.has(library)
    ? [exchange.parseTrade(asRow(Array.isArray(body) ? body[0] : body), market)]
    : await answered(exchange, body, () => exchange.fetchTrades(market.symbol));
  const { contract, inverse } = instrument;
  return trades
    .toSorted((a, b) => (b.timestamp ?? 0) - (a.timestamp ?? 0))
    .map(({ id = null, side, price = 0, amount, cost }) => {
      const size = (amount ?? 0) * contract;
      // Kraken's inverse contracts have no amount there, and their base as the cost.
      const quantity = amount === undefined ? cost : inverse ? size / price : size;
      return { id: withoutId.has(library) ? null : id, side, price, quantity };
    });
}

async function isRead(t: Test, venue: Venue, one: Case): Promise<void> {
  const { market, kind, quote } = one.instrument;
  const whole = read(venue, one, one.body);
  t.match(whole, { market, kind, quote });
  t.equal(whole.trades[0]?.timestamp, newest, 'its time');
  const found = whole.trades.map(({ id, bought, price, quantity }) => ({
    id,
    side: bought ? 'buy' : 'sell',
    price,
    quantity,
  }));
  const stated = one.trades.map(({ id, ...row }) => ({ id: id === null ? null : `${id}`, ...row }));
  t.strictSame(rounded(found), rounded(stated));
  for (const bad of [null, 7, 'no', {}, { data: 7 }])
    t.throws(() => read(venue, one, bad), ShapeError);
  const { library } = one;
  if (library === null) return;
  const own = found.map((row) => (withoutId.has(library) ? { ...row, id: null } : row));
  const theirs = await byLibrary(one, library);
  t.strictSame(rounded(own.slice(0, theirs.length)), rounded(theirs), `as ${library} reads it`);
}

export async function trades(t: Test, venue: Venue): Promise<void> {
  for (const one of casesOf(venue))
    await t.test(`${one.part} ${one.instrument.market}`, async (t) => isRead(t, venue, one));
}
