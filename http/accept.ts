import { weights } from './accept-encoding.ts';

/** Results by header text: many clients send the same few headers. */
const choices = new Map<string, boolean>();
const mostChoices = 256;

function choose(header: string): boolean {
  const given = weights(header);
  const weightOf = (type: string, range: string) =>
    given.get(type) ?? given.get(range) ?? given.get('*/*') ?? 0;
  return weightOf('text/csv', 'text/*') > weightOf('application/json', 'application/*');
}

/** Whether an `Accept` header (RFC 9110, 12.5.1) prefers CSV to JSON, which is the default. */
export function prefersCsv(header: string): boolean {
  if (header === '' || header === '*/*') return false;
  const known = choices.get(header);
  if (known !== undefined) return known;
  const choice = choose(header);
  if (choices.size >= mostChoices) choices.clear();
  choices.set(header, choice);
  return choice;
}
