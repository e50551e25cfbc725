/** What a venue file makes of its simulated counterpart against what the model knows. */
import type { Test } from 'tap';
import type { DerivativeRow, OpenInterestRow } from '../../actors/topics.ts';
import type { Market } from '../../scripts/simulator/market.ts';
import { close, now, type Reader } from './simulated-venue.ts';

const day = 86_400_000;
const nameOf = ({ symbol, quote, kind }: Pick<Market, 'symbol' | 'quote' | 'kind'>) =>
  `${kind} ${symbol}/${quote}`;
const ids = (markets: readonly Market[]) => markets.map(({ id }) => id).sort();

/**
 * Last price, 24 h turnover and change of every market that is followed, and of no other. `change`
 * is how exactly the wire states the last, as a ratio; null where it does not.
 */
export async function checkPrices(
  t: Test,
  reader: Reader,
  part: string,
  { change = 1e-6 }: { change?: number | null } = {},
): Promise<void> {
  const { model } = reader.simulator;
  const markets = reader.followed(part);
  const rows = await reader.rows(t, reader.venue.feeds.prices, part);
  t.strictSame([...rows.keys()].sort(), ids(markets), `${part}: the markets that are followed`);
  for (const market of markets) {
    const { id, kind } = market;
    const [row, truth] = [rows.get(id), model.truth(reader.venue.id, id, kind)];
    if (!row || !truth) throw new Error(id);
    if (nameOf(row) !== nameOf(market)) t.fail(`${id}: ${nameOf(row)}`);
    close(t, [row.price, truth.price], `${id} price`);
    const dollars = truth.priceUsd / truth.price;
    close(t, [(row.volume ?? Number.NaN) * dollars, truth.volumeUsd], `${id} volume`, 1e-6);
    if ((row.change === null) !== (change === null)) t.fail(`${id} change ${row.change}`);
    if (row.change === null || change === null || now - market.listed < day) continue;
    const { open, close: last } = model.last24h(market, now);
    close(t, [1 + row.change / 100, last / open], `${id} change`, change);
  }
}

/**
 * The perpetuals of a part with their rows; the test fails where one has none, or another market
 * has one.
 */
function paired<Row>(
  t: Test,
  reader: Reader,
  part: string,
  rows: Map<string, Row>,
): [Market, Row][] {
  const markets = reader.followed(part).filter(({ kind }) => kind === 'perpetual');
  t.strictSame([...rows.keys()].sort(), ids(markets), `${part}: every perpetual`);
  return markets.flatMap((market) => {
    const row = rows.get(market.id);
    return row ? [[market, row]] : [];
  });
}

/** Rows of every perpetual of a part, read from one poll of the feed. */
export async function derivativesOf(
  t: Test,
  reader: Reader,
  part: string,
): Promise<[Market, DerivativeRow][]> {
  const feed = reader.venue.feeds.derivatives;
  if (!feed) throw new Error(`${reader.venue.id} has no derivatives`);
  return paired(t, reader, part, await reader.rows(t, feed, part));
}

/** Rows of every perpetual of a part, read from one poll of the feed. */
export async function interestsOf(
  t: Test,
  reader: Reader,
  part: string,
): Promise<[Market, OpenInterestRow][]> {
  const feed = reader.venue.feeds.openInterest;
  if (!feed) throw new Error(`${reader.venue.id} has no open interest`);
  return paired(t, reader, part, await reader.rows(t, feed, part));
}

/** Mark and index price in canonical units. */
export function checkMarks(t: Test, [market, row]: [Market, DerivativeRow]): void {
  close(t, [row.mark, market.exact(now) / market.scale], `${market.id} mark`, 1e-7);
  close(t, [row.index, market.index(now) / market.scale], `${market.id} index`, 1e-7);
}

/** Base units, and their value at `price`, which is native. */
export function checkInterest(
  t: Test,
  [market, row]: [Market, OpenInterestRow],
  price: number,
): void {
  const base = market.openInterest(now);
  // The wire rounds to the market's lot.
  const error = Math.max(1e-9, 10 ** -market.lot / base);
  close(t, [row.units, base * market.scale], `${market.id} open interest`, error);
  close(t, [row.value, base * price], `${market.id} value`, error + 1e-7);
}
