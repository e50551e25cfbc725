/** Recorded trades of one market by range, some at a time. */
import { rounded } from '../../indicators/digits.ts';
import type { RecordLine } from '../sources/recording/format.ts';
import type { Venue } from '../sources/venue.ts';
import type { TradePage, TradeQuestion } from '../topics/recordings.ts';
import type { TradeEvent } from './events.ts';
import { symbolName } from './names.ts';
import { Normaliser } from './normaliser.ts';
import { linesIn } from './reader.ts';

/** A page ends where it takes longer to read beyond its beginning, ms, also without a trade: the next one goes on from there. */
const longest = 2_000;

/** So many trades of one time of receipt (Unix microseconds) were in the pages before. */
interface Cursor {
  local: number;
  seen: number;
}

function cursorIn(text: string | null, from: number): Cursor | null {
  if (text === null) return { local: from * 1_000, seen: 0 };
  const [, local, seen] = /^(\d{16})-(\d{1,9})$/.exec(text) ?? [];
  return local === undefined ? null : { local: Number(local), seen: Number(seen) };
}

function tradeOf({ id, timestamp, local, side, price, amount, instrument, ...of }: TradeEvent) {
  const { scale, contract, inverse } = instrument;
  const size = amount * contract;
  const own = price / scale;
  const quantity = rounded(inverse ? size / own : size * scale);
  const { recovered = false } = of;
  const times = { timestamp: timestamp / 1_000, received: local };
  return { id, ...times, side, price: rounded(own), quantity, recovered };
}

/** Takes lines until there are `limit` trades after a place; `last` is that of the last one. */
function collector(
  venue: Venue,
  { market, kind, limit }: Pick<TradeQuestion, 'market' | 'kind' | 'limit'>,
  at: Cursor,
) {
  const page: TradePage = { trades: [], gaps: [], next: null };
  const last = { ...at };
  const name = market.toLowerCase();
  let skipped = 0;
  /** The first part that lists it. */
  let place = Number.POSITIVE_INFINITY;
  const isFull = () => page.trades.length >= limit;
  const gap = (local: number) => void page.gaps.push(Math.floor(local / 1_000));
  const add = (event: TradeEvent) => {
    if (isFull() || (event.local === at.local && skipped++ < at.seen)) return;
    last.seen = event.local === last.local ? last.seen + 1 : 1;
    last.local = event.local;
    page.trades.push(tradeOf(event));
  };
  const normaliser = new Normaliser({
    venue,
    types: new Set(['trade']),
    from: at.local / 1_000,
    wants(part, one) {
      const isNamed = [one.market, symbolName(one.market)].some(
        (own) => own.toLowerCase() === name,
      );
      const isWanted = isNamed && (kind === undefined || one.kind === kind);
      if (isWanted) place = Math.min(place, venue.parts.indexOf(part));
      return isWanted;
    },
    emit(event) {
      if (event.part !== null && event.part !== venue.parts[place]) return;
      if (event.type === 'disconnect') gap(event.local);
      else if (event.type === 'trade') add(event);
    },
  });
  let isFirst = true;
  const take = (lines: readonly RecordLine[]) => {
    const [begin] = lines;
    // Of the time before the recording nothing is known.
    if (isFirst && begin && begin.t > at.local) gap(begin.t);
    isFirst &&= begin === undefined;
    for (const line of lines) {
      if (isFull()) return;
      normaliser.take(line);
    }
  };
  return { page, last, isFull, take };
}

/** The next trades of a range; null for a cursor that is none. */
export async function tradePage(
  folder: string,
  venue: Venue,
  question: Omit<TradeQuestion, 'exchange'>,
  patience = longest,
): Promise<TradePage | null> {
  const { from, to, cursor } = question;
  const at = cursorIn(cursor, from);
  if (at === null) return null;
  const { page, last, isFull, take } = collector(venue, question, at);
  let began = Number.POSITIVE_INFINITY;
  for await (const lines of linesIn(folder, venue.id, { from: at.local / 1_000, to })) {
    take(lines);
    const end = lines.at(-1)?.t ?? 0;
    if (end > at.local) began = Math.min(began, performance.now());
    if (!isFull() && performance.now() - began < patience) continue;
    page.next = isFull() || end <= last.local ? `${last.local}-${last.seen}` : `${end}-0`;
    break;
  }
  return page;
}
