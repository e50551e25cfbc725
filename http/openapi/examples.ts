import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../actors/read.ts';

/**
 * Example answers by operation id, shortened (`npm run examples` makes them). They are read each time: only the process
 * that makes the description needs them, and only while it does.
 */
export function readExamples(): Readonly<Record<string, unknown>> {
  const file = join(import.meta.dirname, 'examples.json');
  const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isRecord(found) ? found : {};
}
