/** Times in the tables of an exchange: `now` is 2026-09-21 14:13:20 UTC, `E` is 2026-09-20 00:00 UTC; `E-100h-1` is 1 ms before. */

const moments: Readonly<Record<string, number>> = {
  now: Date.UTC(2026, 8, 21, 14, 13, 20),
  E: Date.UTC(2026, 8, 20),
};
export const { now = 0 } = moments;
const units: Readonly<Record<string, number>> = {
  '': 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Unix ms. */
export function timeOf(words: string): number {
  const [, name = '', terms = ''] = /^(now|E)((?:[+-]\d+[smhd]?)*)$/.exec(words) ?? [];
  const start = moments[name];
  if (start === undefined) throw new Error(`no time: ${words}`);
  return [...terms.matchAll(/([+-]\d+)([smhd]?)/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? Number.NaN),
    start,
  );
}

const forms: Readonly<Record<string, (time: number) => string>> = {
  ms: String,
  s: (time) => String(time / 1_000),
  iso: (time) => new Date(time).toISOString().replace('.000Z', 'Z'),
};

/** A text with its times as they are sent: `ms(E-1)` in Unix ms, `s(E-100h)` in seconds, `iso(E)` in words. */
export const sent = (text: string): string =>
  text.replaceAll(/\b(ms|s|iso)\(([^)]*)\)/g, (_, form: string, time: string) =>
    String(forms[form]?.(timeOf(time))),
  );
