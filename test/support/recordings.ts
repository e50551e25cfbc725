import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** An upstream answer as it was recorded, with the request that it answered. */
export interface Recording {
  request: { method: string; url: string; body?: unknown };
  status: number;
  response: unknown;
}

/** Where recordings lie: TIDEMARK_RECORDINGS, or `shared/wire` beside the repository. */
const folder =
  process.env.TIDEMARK_RECORDINGS ??
  fileURLToPath(new URL('../../../shared/wire', import.meta.url));

/** The recording, or null on a machine that has none (skip the test then and print `absent`). */
export function recording(venue: string, name: string): Recording | null {
  const file = `${folder}/${venue}/${name}.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Why a test of recordings is skipped, or false when they are there. */
export const absent: string | false = existsSync(folder)
  ? false
  : `no recordings in ${folder}; set TIDEMARK_RECORDINGS`;
