/** JSON merge patches (RFC 7396): what has changed between two values, as a value. */

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A change that a merge patch cannot express: it takes null for "remove this member". */
class Inexpressible extends Error {}

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return isObject(value) && Object.values(value).some(holdsNull);
}

/** The value of a member that is new or has changed as a whole. Lists are replaced whole, with the nulls in them. */
function replaced(value: unknown): unknown {
  if (holdsNull(value)) throw new Inexpressible();
  return value;
}

const same = (before: unknown, now: unknown): boolean =>
  before === now || (Array.isArray(now) && JSON.stringify(before) === JSON.stringify(now));

/** The patch of one member; undefined where nothing has changed. */
function changeOf(before: unknown, now: unknown): unknown {
  if (!isObject(before) || !isObject(now)) return same(before, now) ? undefined : replaced(now);
  const inner = changes(before, now);
  return Object.keys(inner).length > 0 ? inner : undefined;
}

function changes(before: Members, now: Members): Members {
  const patch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(now)) {
    const change = changeOf(Object.hasOwn(before, name) ? before[name] : undefined, value);
    if (change !== undefined) patch[name] = change;
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(now, name)) patch[name] = null;
  return patch;
}

/**
 * The merge patch that turns `before` into `now`; null where there is none: one of them is not an object, or a member becomes
 * null.
 */
export function mergePatch(before: unknown, now: unknown): Members | null {
  if (!isObject(before) || !isObject(now)) return null;
  try {
    return changes(before, now);
  } catch (error) {
    if (error instanceof Inexpressible) return null;
    throw error;
  }
}
