import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Example answers by operation id, shortened (`npm run examples` makes them). They are read each time: only the process
 * that makes the description needs them, and only while it does.
 */
export function readExamples(): Readonly<Record<string, unknown>> {
  const file = join(import.meta.dirname, 'examples.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
