/**
 * One rule for polls and streams: of two readings of a value the one with the later stated time counts; where one of them states
 * none, the one received later. A poll counts from when it was asked.
 */

/** Times of a message, Unix ms. */
export interface Time {
  stated: number | null;
  /** When it was received, or the poll that brought it was asked. */
  heard: number;
  received: number;
  isPolled: boolean;
}

/** Columns that come together, or not at all: null or absent where a message does not have them. */
export interface Group<Row> {
  names: readonly (keyof Row)[];
  /** Age at which they are not shown beside newer values any more, ms. */
  maxAge: number;
  /** The column that states when they were received, where that is another time than that of the row. */
  received?: keyof Row;
}

/** What is known of a market. */
export interface Known<Row> {
  row: Row;
  /** Of the first group that the row has. */
  time: Time;
  /** Of each group; undefined for one that no message has had. */
  times: readonly (Time | undefined)[];
  /** When the newest message about it was heard, Unix ms. */
  newest: number;
}

/** A row of a poll or of a stream. */
export interface Message<Row> {
  row: Row;
  time: Time;
  /**
   * Of a poll whether any of its rows has each group: then one without it is known to have none. Null of a stream, whose messages
   * leave out what has not changed.
   */
  brought: readonly boolean[] | null;
}

/** How the values of several messages become one row. */
export interface MergeForm<Row> {
  /** The first one that a row has states its time. Without any, a row is replaced whole. */
  groups: readonly Group<Row>[];
  /** Changes a merged row in place: values that contradict each other, and those that follow from others. */
  settle?(row: Row, times: readonly (Time | undefined)[]): void;
}

export function isLater(one: Time, other: Time | undefined): boolean {
  if (other === undefined) return true;
  const { stated } = one;
  const isStated = stated !== null && other.stated !== null && stated !== other.stated;
  return isStated ? stated > (other.stated ?? 0) : one.heard >= other.heard;
}

export const hasAny = <Row>(row: Row, { names }: Group<Row>): boolean =>
  names.some((name) => row[name] !== null && row[name] !== undefined);

/** Whether a message has a value that is newer than the known one. */
export const hasNews = <Row>(
  { groups }: MergeForm<Row>,
  { row, time, brought }: Message<Row>,
  known: Known<Row>,
): boolean =>
  groups.length === 0
    ? isLater(time, known.time)
    : groups.some(
        (group, at) => (brought?.[at] ?? hasAny(row, group)) && isLater(time, known.times[at]),
      );

/** Takes over a value; one that neither row has stays absent. */
function put<Row, Name extends keyof Row>(to: Row, from: Row, name: Name): void {
  if (from[name] !== undefined || to[name] !== undefined) to[name] = from[name];
}

/** What is known of a market after a message: of each group the values with the later time, those known before only while they are young. */
export function merge<Row extends { stated?: number | null }>(
  form: MergeForm<Row>,
  { row, time: own, brought }: Message<Row>,
  known: Known<Row> | undefined,
): Known<Row> {
  const { groups, settle } = form;
  // A poll is read later than a message that came after it: times of receipt never go back.
  const time = { ...own, received: Math.max(own.received, known?.time.received ?? 0) };
  const newest = Math.max(time.heard, known?.newest ?? 0);
  const times = groups.map((group, at): Time | undefined => {
    const before = known?.times[at];
    const isOld = before !== undefined && time.received - before.received > group.maxAge;
    // A group that polls have had and this one does not is gone; one that only the stream has stays.
    const brings = brought ? brought[at] || before?.isPolled : hasAny(row, group);
    if (brings && (isOld || isLater(time, before))) return time;
    return isOld ? undefined : before;
  });
  const isWhole = times.every((at) => at === time || at === undefined);
  if (known === undefined || isWhole) return { row, time, times, newest };
  const merged = { ...row };
  for (const [at, { names }] of groups.entries()) {
    if (times[at] === undefined || times[at] === time) continue;
    for (const name of names) put(merged, known.row, name);
  }
  const lead = times[groups.findIndex((group) => hasAny(merged, group))] ?? time;
  settle?.(merged, times);
  return {
    row: merged.stated === lead.stated ? merged : { ...merged, stated: lead.stated },
    ...{ time: lead, times, newest },
  };
}
