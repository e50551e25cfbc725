/** What faults make of the JSON value of an answer or of a message. */
import { isRecord } from '../../actors/read.ts';
import type { ActiveFault, Fault, FaultKind } from './faults.ts';

const entriesOf = (value: object, of: (key: string, one: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [key, of(key, one)]));

/** Lists become objects and values null, the venue's own "all is well" (`code`, `msg`) stays. */
function misshapen(value: unknown): unknown {
  if (Array.isArray(value)) return { rows: value.length };
  if (!isRecord(value)) return null;
  return entriesOf(value, (key, one) => (key === 'code' || key === 'msg' ? one : misshapen(one)));
}

/** The same answer with nothing in its lists. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isRecord(value) ? entriesOf(value, (_, one) => emptied(one)) : value;
}

/** The same value without the members of lists that hold one of the texts. */
function without(value: unknown, texts: readonly unknown[]): unknown {
  const isLeft = (one: unknown) =>
    !(isRecord(one) || Array.isArray(one)) || !Object.values(one).some((x) => texts.includes(x));
  if (Array.isArray(value)) return value.filter(isLeft).map((one) => without(one, texts));
  return isRecord(value) ? entriesOf(value, (_, one) => without(one, texts)) : value;
}

/** The same value with `change` of each member that `isMeant` names, wherever it stands. */
function changed(
  value: unknown,
  isMeant: (key: string) => boolean,
  change: (value: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, isMeant, change));
  if (!isRecord(value)) return value;
  return entriesOf(value, (key, one) =>
    isMeant(key) ? change(one) : changed(one, isMeant, change),
  );
}

function product(value: unknown, factor: number): unknown {
  if (typeof value === 'number') return value * factor;
  // Levels of an order book begin with their price.
  if (Array.isArray(value))
    return value.map((level) =>
      Array.isArray(level) ? [product(level[0], factor), ...level.slice(1)] : level,
    );
  return typeof value === 'string' && value !== '' ? String(Number(value) * factor) : value;
}

/** Numbers within so many ms of the present are times: no price or amount is near them by more than chance. */
const near = 30 * 86_400_000;
/** How many of a unit a millisecond is: seconds, milliseconds, microseconds, nanoseconds. */
const units = [0.001, 1, 1_000, 1_000_000];

/** The same value with every time in it later: numbers, numbers as text, and dates of ISO 8601. */
function ahead(value: unknown, now: number, ms: number): unknown {
  if (Array.isArray(value)) return value.map((one) => ahead(one, now, ms));
  if (isRecord(value)) return entriesOf(value, (_, one) => ahead(one, now, ms));
  if (typeof value === 'number') {
    const unit = units.find((one) => Math.abs(value / one - now) < near);
    return unit === undefined ? value : value + ms * unit;
  }
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
    return new Date(Date.parse(value) + ms).toISOString();
  return /^\d{10,19}(\.\d+)?$/.test(value) ? String(ahead(Number(value), now, ms)) : value;
}

type Damage = (value: unknown, fault: ActiveFault) => unknown;

/** The faults that change values. */
export const damages: Readonly<Partial<Record<FaultKind, Damage>>> = {
  wrong_shape: misshapen,
  empty: emptied,
  without: (value, { fields = [] }: Fault) => without(value, fields),
  bad_checksum: (value) =>
    changed(
      value,
      (key) => key === 'checksum',
      (sum) => (typeof sum === 'number' ? sum + 1 : sum),
    ),
  multiplied: (value, { fields = [], factor = 1_000 }: Fault) =>
    changed(
      value,
      (key) => fields.includes(key),
      (one) => product(one, factor),
    ),
  ahead: (value, { since, ms = 1_000 }) => ahead(value, since, ms),
};
