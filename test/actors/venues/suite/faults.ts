/**
 * What the errors of a venue mean, case by case as its documents have them (`test/fixtures/faults`), where null is no error of
 * its own.
 */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { readFault } from '../../../../actors/upstream/faults.ts';

interface Case {
  api: string;
  status: number;
  body?: unknown;
  means: { code: string; message: string; retryAfter?: number } | null;
}

export function faults(t: Test, { id, apis }: Venue): void {
  const file = new URL(`../../../fixtures/faults/${id}.json`, import.meta.url);
  const cases: Case[] = JSON.parse(readFileSync(file, 'utf8'));
  const found = cases.map(({ api, status, body }) => {
    const fault = readFault(apis[api] ?? {}, status, body);
    return fault && { ...fault, ...(fault.status === status && { status: undefined }) };
  });
  t.strictSame(
    JSON.parse(JSON.stringify(found)),
    cases.map(({ means }) => means),
  );
  // APIs of one form need no cases each.
  const formOf = (api: string) => JSON.stringify(Object.keys(Object(apis[api]?.faults)));
  const forms = new Set(cases.map(({ api }) => formOf(api)));
  const missing = Object.keys(apis).filter((api) => !forms.has(formOf(api)));
  t.strictSame(missing, [], 'errors of every form');
}
