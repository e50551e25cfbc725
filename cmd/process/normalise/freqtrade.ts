/**
 * The files of freqtrade's JSON handlers (`jsongz`) out of events: lists of lists, by position.
 * https://github.com/freqtrade/freqtrade/tree/develop/freqtrade/data/history/datahandlers
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type {
  DerivativeEvent,
  MarketEvent,
  ReplayEvent,
  TradeEvent,
} from '../../../actors/replay/events.ts';
import type { Range } from '../../../actors/replay/reader.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { day, hour, minute } from '../../../config/time.ts';
import { rounded } from '../../../indicators/digits.ts';
import { Partial } from './table-file.ts';

/** Candles that are made of trades, and their lengths, ms. */
const timeframes = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '1h': hour,
  '4h': 4 * hour,
  '1d': day,
};

type Cell = number | string | null;

/** A list of rows. */
class RowsFile extends Partial {
  #text = '[';
  #count = 0;

  constructor(path: string) {
    super(path, true);
  }

  add(row: readonly Cell[]): void {
    this.#text += `${this.#count++ > 0 ? ',' : ''}${JSON.stringify(row)}`;
    if (this.#text.length < 65_536) return;
    this.to.write(this.#text);
    this.#text = '';
  }

  async close(): Promise<void> {
    this.to.write(`${this.#text}]`);
    await this.end();
  }
}

/** A row, and the times of its first and last price: trades that the stream had missed come late. */
interface Candle {
  row: [
    time: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number | null,
  ];
  first: number;
  last: number;
}

/** How long after the end of a candle its trades may come, ms. */
const late = 10_000;

/** Candles of one length: those that lie within the range, and in which no price may be missing. */
class Candles {
  readonly #file: RowsFile;
  readonly #step: number;
  readonly #range: Range;
  readonly #rows = new Map<number, Candle>();
  /** The starts of candles that are not whole. */
  readonly #broken = new Set<number>();
  #last = 0;
  /** Before the next price others may be missing. */
  #isUnsure: boolean;

  constructor(file: RowsFile, step: number, { range, isCovered }: Covered) {
    this.#file = file;
    this.#step = step;
    this.#range = range;
    this.#isUnsure = !isCovered;
  }

  /** `volume` is null where the values have none. */
  add(time: number, price: number, volume: number | null): void {
    const start = this.#startOf(time);
    if (this.#isUnsure) this.#broken.add(start);
    this.#isUnsure = false;
    const none = volume === null ? null : 0;
    const candle = this.#rows.get(start) ?? {
      row: [start, price, price, price, price, none],
      first: time,
      last: time,
    };
    this.#rows.set(start, candle);
    const { row } = candle;
    if (time < candle.first) [candle.first, row[1]] = [time, price];
    row[2] = Math.max(row[2], price);
    row[3] = Math.min(row[3], price);
    if (time >= candle.last) [candle.last, row[4]] = [time, price];
    if (volume !== null) row[5] = rounded((row[5] ?? 0) + volume);
    this.#last = Math.max(this.#last, time);
    this.end(this.#last - late);
  }

  gap(time: number): void {
    this.#broken.add(this.#startOf(time)).add(this.#startOf(this.#last));
    this.#isUnsure = true;
  }

  /** Writes the candles that have ended by a time. */
  end(until: number): void {
    const { from, to } = this.#range;
    for (const [start, { row }] of this.#rows) {
      const end = start + this.#step;
      if (end > until) continue;
      this.#rows.delete(start);
      if (!this.#broken.has(start) && start >= from && end <= to) this.#file.add(row);
    }
  }

  #startOf(time: number): number {
    return time - (time % this.#step);
  }
}

/** A range, and whether what was recorded before it shows that nothing is missing at its start. */
interface Covered {
  range: Range;
  isCovered: boolean;
}

/** How ccxt, and so freqtrade, names a market; `1000PEPE` where the exchange counts in thousands. */
function pairOf({ symbol, scale, quote, kind, inverse, settle }: Instrument): string {
  const base = scale === 1 ? symbol : `${scale}${symbol}`;
  const margin = settle ?? (inverse ? base : quote);
  return kind === 'spot' ? `${base}/${quote}` : `${base}/${quote}:${margin}`;
}

/** The files of one market. */
class MarketFiles {
  readonly #files: RowsFile[] = [];
  readonly #trades: RowsFile;
  readonly #candles: readonly Candles[];
  readonly #mark: Candles | null;
  readonly #funding: RowsFile | null;
  /** The next funding as it was stated last. */
  #next: Pick<DerivativeEvent, 'fundingTime' | 'fundingRate'> | null = null;
  #count = 0;

  constructor(folder: string, instrument: Instrument, of: Covered) {
    const isSpot = instrument.kind === 'spot';
    const place = isSpot ? folder : join(folder, 'futures');
    mkdirSync(place, { recursive: true });
    const name = pairOf(instrument).replaceAll(/[/ .@$+:]/g, '_');
    const file = (what: string) => {
      const made = new RowsFile(join(place, `${name}-${what}.json.gz`));
      this.#files.push(made);
      return made;
    };
    this.#trades = file('trades');
    this.#candles = Object.entries(timeframes).map(
      ([word, step]) => new Candles(file(isSpot ? word : `${word}-futures`), step, of),
    );
    this.#mark = isSpot ? null : new Candles(file('1h-mark'), hour, of);
    this.#funding = isSpot ? null : file('1h-funding_rate');
  }

  trade({ id, timestamp, side, price, amount: own, instrument }: TradeEvent): void {
    const { contract, inverse } = instrument;
    const time = timestamp / 1_000;
    const amount = rounded(inverse ? (own * contract) / price : own * contract);
    // Trades of a time with the same id, or none, are taken for one.
    const name = id ?? `${++this.#count}`;
    this.#trades.add([time, name, null, side, price, amount, rounded(price * amount)]);
    for (const candles of this.#candles) candles.add(time, price, amount);
  }

  /** A funding was that which was stated last before its time. */
  derivative({ timestamp, mark, fundingTime, fundingRate }: DerivativeEvent): void {
    const time = timestamp / 1_000;
    if (mark !== null) this.#mark?.add(time, mark, null);
    const { fundingTime: due, fundingRate: rate } = this.#next ?? {};
    if (due && typeof rate === 'number' && due <= time && fundingTime !== due)
      this.#funding?.add([due, rate, 0, 0, 0, 0]);
    this.#next = { fundingTime, fundingRate };
  }

  gap(time: number): void {
    for (const candles of this.#candles) candles.gap(time);
    this.#mark?.gap(time);
  }

  async drained(): Promise<void> {
    for (const file of this.#files) await file.drained();
  }

  /** `until`: Unix ms of what was recorded last. */
  async close(until: number): Promise<void> {
    for (const candles of this.#candles) candles.end(until);
    this.#mark?.end(until);
    for (const file of this.#files) await file.close();
  }
}

/** The files of an exchange, in a folder as freqtrade has one in `user_data/data`. */
export class FreqtradeFiles {
  readonly #folder: string;
  readonly #range: Range;
  readonly #markets = new Map<string, { part: string; files: MarketFiles }>();
  /** When the first and the last line were recorded, Unix ms. */
  #first = Number.POSITIVE_INFINITY;
  #last = 0;
  /** Trades so far. */
  count = 0;

  constructor(folder: string, range: Range) {
    this.#folder = folder;
    this.#range = range;
  }

  /** A line was recorded at a time, Unix microseconds. */
  see(time: number): void {
    this.#first = Math.min(this.#first, time / 1_000);
    this.#last = time / 1_000;
  }

  add(event: ReplayEvent): void {
    if (event.type === 'disconnect') {
      for (const { part, files } of this.#markets.values())
        if (event.part === null || event.part === part) files.gap(event.local / 1_000);
      return;
    }
    const { kind } = event.instrument;
    if (kind !== 'spot' && kind !== 'perpetual') return;
    const files = this.#filesOf(event);
    if (event.type === 'derivative_ticker') files?.derivative(event);
    if (event.type !== 'trade' || !files) return;
    files.trade(event);
    this.count += 1;
  }

  async drained(): Promise<void> {
    for (const { files } of this.#markets.values()) await files.drained();
  }

  async close(): Promise<void> {
    for (const { files } of this.#markets.values()) await files.close(this.#last);
  }

  /** Of several markets with the same name those of the first. */
  #filesOf({ part, instrument }: MarketEvent): MarketFiles | null {
    const key = `${instrument.kind} ${pairOf(instrument)}`;
    const known = this.#markets.get(key);
    if (known) return known.part === part ? known.files : null;
    // A recorder that has just begun takes a moment to hear all.
    const isCovered = this.#first + minute <= this.#range.from;
    const files = new MarketFiles(this.#folder, instrument, { range: this.#range, isCovered });
    this.#markets.set(key, { part, files });
    return files;
  }
}
