/** Streams that have a second address, by the names that tests have of them. */

/** The streams by part, and those of the address behind the first as `part-behind`. */
export const withBehind = <Stream extends { behind?: Stream }>(
  streams: Readonly<Record<string, Stream | undefined>> = {},
): Readonly<Record<string, Stream>> =>
  Object.fromEntries(
    Object.entries(streams).flatMap(([part, stream]) => [
      ...(stream ? [[part, stream] as const] : []),
      ...(stream?.behind ? [[`${part}-behind`, stream.behind] as const] : []),
    ]),
  );

/** The part of such a name. */
export const partOf = (name: string): string => name.replace(/-behind$/, '');
