import { remembered, weights } from './accept-encoding.ts';

const types = {
  json: 'application/json',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const;

type Name = keyof typeof types;

/** Chooses of the offered formats the one that an `Accept` header (RFC 9110, 12.5.1) prefers; among equals the first, also without a header. */
const preferred = <N extends Name>(offered: readonly [N, ...N[]]) =>
  remembered((header): N => {
    const given = weights(header);
    const weightOf = (name: Name) => {
      const range = types[name].replace(/\/.*/, '/*');
      return given.get(types[name]) ?? given.get(range) ?? given.get('*/*') ?? 0;
    };
    return offered.reduce((best, name) => (weightOf(name) > weightOf(best) ? name : best));
  });

/** The format that an `Accept` header prefers of those of a file; JSON is the default. */
export const preferredFormat = preferred(['json', 'csv', 'parquet', 'arrow']);

const preferredOfTable = preferred(['json', 'csv']);

/** Whether an `Accept` header prefers CSV to JSON, which is the default. */
export const prefersCsv = (header: string): boolean =>
  header !== '' && header !== '*/*' && preferredOfTable(header) === 'csv';
