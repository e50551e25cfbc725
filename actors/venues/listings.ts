/** The mapper of instrument lists. Pure. */
import { asRow, isRow, type WireRow } from '../read.ts';
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
  /** False for a row of another part. */
  keep?(row: WireRow): boolean;
  /** True where there are more rows than the bodies hold: it is named. */
  isCut?(bodies: readonly unknown[]): boolean;
}

/** The instrument in a row; null where it is unreadable. */
function instrumentIn<Extra>(
  row: WireRow,
  market: string,
  { read, extra }: { read: ListForm<never, Extra>['read']; extra: Extra },
): Instrument | null {
  const facts = market === '' ? null : read(row, market, extra);
  return facts && instrument({ market, ...facts });
}

/** A poll of an instrument list. */
export function listing<Request extends object, Extra = undefined>(
  form: ListForm<Request, Extra>,
): MarketPoll<'instruments', Request>;
export function listing(form: ListForm<object, unknown>): MarketPoll<'instruments', object> {
  const { requests, id, read, keep, isCut } = form;
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
        const one = instrumentIn(row, market, { read, extra });
        if (one) found.rows.push(one);
        else found.dropped.push({ key: market, code: 'bad_row' });
      }
      if (isCut?.(bodies)) found.dropped.push({ key: 'list', code: 'list_cut_off' });
      return { instruments: found };
    },
  };
}
