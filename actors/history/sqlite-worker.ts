/** The thread that checks a history file and copies it: on the thread of the store both would keep questions waiting. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** What is to be done: a check of a file, or a whole copy of it to a path where nothing is. */
export interface FileTask {
  path: string;
  copyTo: string | null;
}

/** Faults that are told at most. */
const maxFaults = 5;

/** The faults of a file, of which its reading says nothing while other pages are read. https://www.sqlite.org/pragma.html#pragma_quick_check */
function faultsOf(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const rows = db.prepare(`PRAGMA quick_check(${maxFaults})`).all();
    const lines = rows.flatMap((row) => String(Object.values(row)[0]).split('\n'));
    return lines.filter((line) => line !== 'ok' && !line.startsWith('***')).slice(0, maxFaults);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    db.close();
  }
}

function run({ path, copyTo }: FileTask): string[] {
  const faults = faultsOf(path);
  if (faults.length > 0 || copyTo === null) return faults;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    db.prepare('VACUUM INTO ?').run(copyTo);
  } finally {
    db.close();
  }
  return faultsOf(copyTo);
}

parentPort?.postMessage(run(workerData));
