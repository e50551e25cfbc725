/** The mapper of instrument lists. Pure. */
import { asRow, isRow, positive, required, type WireRow } from '../read.ts';
import type { ParseContext, Parsed } from '../sources/define.ts';
import type { MarketPoll } from '../sources/venue.ts';
import type { Instrument } from '../topics/index.ts';
import { idIn, listIn, type MarketForm, plannedOf, type Requests } from './markets.ts';
import { type Facts, instrument } from './rows.ts';

/** How the instruments of a part are listed. */
export interface ListForm<Request, Extra> {
  requests: Requests<Request>;
  rows: NonNullable<MarketForm['rows']>;
  id: MarketForm['id'];
  /** What the rows need to know besides themselves, such as the hours in another body. */
  extra?(bodies: readonly unknown[], context: ParseContext): Extra;
  /** The facts in a row; null where it is unreadable. */
  read(row: WireRow, market: string, extra: Extra): Omit<Facts, 'market'> | null;
  /** The smallest step of a price, in the exchange's units: its key, or a function. Absent where the list states none. */
  tick?: string | ((row: WireRow) => unknown);
  /** False for a row of another part. */
  keep?(row: WireRow): boolean;
  /** True where there are more rows than the bodies hold: it is named. */
  isCut?(bodies: readonly unknown[]): boolean;
}

/** The step of prices that have as many digits after the point as a field states. */
export const digitsIn =
  (key: string) =>
  (row: WireRow): number =>
    positive(`1e${-required(row[key])}`);

/** The instrument in a row; null where it is unreadable. */
function instrumentIn<Extra>(
  row: WireRow,
  market: string,
  { read, extra, tick }: Required<Pick<ListForm<never, Extra>, 'read' | 'tick'>> & { extra: Extra },
): Instrument | null {
  const facts = market === '' ? null : read(row, market, extra);
  const step = positive(typeof tick === 'function' ? tick(row) : row[tick]);
  return facts && instrument({ market, tick: step, ...facts });
}

/** A poll of an instrument list. */
export function listing<Request extends object, Extra = undefined>(
  form: ListForm<Request, Extra>,
): MarketPoll<'instruments', Request>;
export function listing(form: ListForm<object, unknown>): MarketPoll<'instruments', object> {
  const { requests, id, read, tick = '', keep, isCut } = form;
  const rowsIn = typeof form.rows === 'string' ? listIn(form.rows) : form.rows;
  return {
    requests: plannedOf(requests),
    parse(bodies, context) {
      const extra = form.extra?.(bodies, context);
      const found: Parsed<Instrument> = { rows: [], dropped: [] };
      for (const value of rowsIn(bodies, { received: context.received, stated: null })) {
        const row = asRow(value);
        if (keep && isRow(value) && !keep(row)) continue;
        const market = idIn(id, row);
        const one = instrumentIn(row, market, { read, extra, tick });
        if (one) found.rows.push(one);
        else found.dropped.push({ key: market, code: 'bad_row' });
      }
      if (isCut?.(bodies)) found.dropped.push({ key: 'list', code: 'list_cut_off' });
      return { instruments: found };
    },
  };
}
