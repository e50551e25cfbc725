import { remembered, weights } from './accept-encoding.ts';

function choose(header: string): boolean {
  const given = weights(header);
  const weightOf = (type: string, range: string) =>
    given.get(type) ?? given.get(range) ?? given.get('*/*') ?? 0;
  return weightOf('text/csv', 'text/*') > weightOf('application/json', 'application/*');
}

const chosen = remembered(choose);

/** Whether an `Accept` header (RFC 9110, 12.5.1) prefers CSV to JSON, which is the default. */
export const prefersCsv = (header: string): boolean =>
  header !== '' && header !== '*/*' && chosen(header);
