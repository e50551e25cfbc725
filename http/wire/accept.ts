import { remembered, weights } from './accept-encoding.ts';

function choose(header: string): boolean {
  const given = weights(header);
  const weightOf = (type: string, range: string) =>
    given.get(type) ?? given.get(range) ?? given.get('*/*') ?? 0;
  return weightOf('text/csv', 'text/*') > weightOf('application/json', 'application/*');
}

const chosen = remembered(choose);

const types = {
  json: ['application/json', 'application/*'],
  csv: ['text/csv', 'text/*'],
  parquet: ['application/vnd.apache.parquet', ''],
  arrow: ['application/vnd.apache.arrow.stream', ''],
} as const;

/** The format that an `Accept` header prefers of those of a table; JSON among equals. */
export const preferredFormat = remembered((header): keyof typeof types => {
  const given = weights(header);
  const weightOf = (name: keyof typeof types) => {
    const [type, range] = types[name];
    return given.get(type) ?? given.get(range) ?? (name === 'json' ? given.get('*/*') : 0) ?? 0;
  };
  const names = ['json', 'csv', 'parquet', 'arrow'] as const;
  return names.reduce((best, name) => (weightOf(name) > weightOf(best) ? name : best));
});

/** Whether an `Accept` header (RFC 9110, 12.5.1) prefers CSV to JSON, which is the default. */
export const prefersCsv = (header: string): boolean =>
  header !== '' && header !== '*/*' && chosen(header);
