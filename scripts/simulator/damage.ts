/** What faults make of the JSON value of an answer or of a message. */
import { isRecord } from '../../actors/read.ts';
import type { Fault, FaultKind } from './faults.ts';

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

type Damage = (value: unknown, fault: Fault) => unknown;

/** The faults that change values. */
export const damages: Readonly<Partial<Record<FaultKind, Damage>>> = {
  wrong_shape: misshapen,
  empty: emptied,
  bad_checksum: (value) =>
    changed(
      value,
      (key) => key === 'checksum',
      (sum) => (typeof sum === 'number' ? sum + 1 : sum),
    ),
  multiplied: (value, { fields = [], factor = 1_000 }) =>
    changed(
      value,
      (key) => fields.includes(key),
      (one) => product(one, factor),
    ),
};
