/** The files of one day: those of each data type and market. */
import { join } from 'node:path';
import { type Cell, type DataType, forms } from '../../../actors/replay/columns.ts';
import type { MarketEvent, ReplayEvent } from '../../../actors/replay/events.ts';
import { exchangeName, symbolName } from '../../../actors/replay/names.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import type { NormaliseOptions } from './options.ts';
import { type TableFile, tableFile } from './table-file.ts';

interface Output {
  of: MarketEvent['type'];
  exchange: string;
  symbol: string;
  rows(event: MarketEvent): readonly (readonly Cell[])[];
  file: TableFile;
}

/** What the files of a day are of. */
export interface DayOptions extends Pick<NormaliseOptions, 'out' | 'types'> {
  format: Exclude<NormaliseOptions['format'], 'freqtrade'>;
}

const extensions = { 'tardis-csv': 'csv.gz', parquet: 'parquet' };

export class DayFiles {
  readonly #source: string;
  readonly #day: string;
  readonly #options: DayOptions;
  readonly #files = new Map<string, Output>();
  readonly #byMarket = new WeakMap<Instrument, readonly Output[]>();
  /** Rows so far. */
  count = 0;

  constructor(source: string, day: string, options: DayOptions) {
    this.#source = source;
    this.#day = day;
    this.#options = options;
  }

  get paths(): string[] {
    return [...this.#files.keys()];
  }

  /** Opens the files of a market, which stay empty where there is nothing. */
  open(part: string, instrument: Instrument): readonly Output[] {
    const known = this.#byMarket.get(instrument);
    if (known) return known;
    const made = this.#options.types.map((type) => this.#output(type, part, instrument));
    this.#byMarket.set(instrument, made);
    return made;
  }

  add(event: ReplayEvent): void {
    if (event.type === 'disconnect') return;
    for (const { of, exchange, symbol, rows, file } of this.open(event.part, event.instrument)) {
      if (of !== event.type) continue;
      const found = rows(event);
      this.count += found.length;
      if (found.length > 0) file.add([exchange, symbol, event.timestamp, event.local], found);
    }
  }

  /** Resolves when all files can take more. */
  async drained(): Promise<void> {
    for (const { file } of this.#files.values()) await file.drained();
  }

  async close(): Promise<void> {
    for (const { file } of this.#files.values()) await file.close();
  }

  #output(type: DataType, part: string, instrument: Instrument): Output {
    const { out, format } = this.#options;
    const exchange = exchangeName(this.#source, part, instrument);
    const symbol = symbolName(instrument.market);
    const path = join(out, `${exchange}_${type}_${this.#day}_${symbol}.${extensions[format]}`);
    const known = this.#files.get(path);
    if (known) return known;
    const { of, rows } = forms[type];
    const made = { of, exchange, symbol, rows: rows(), file: tableFile(path, type, format) };
    this.#files.set(path, made);
    return made;
  }
}
