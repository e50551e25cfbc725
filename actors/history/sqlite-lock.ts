/** The lock of a history file, so that one store at a time has it open. */
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from './store.ts';

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html. */
const busy = 5;

/**
 * Takes the lock, which a connection of its own holds on the file `<path>-lock`: it ends with the process, whatever ends that,
 * and readers of the history itself need not wait. Returns the function that gives it back. Throws a StoreError `away` where
 * another store has it.
 */
export function lockFile(path: string): () => void {
  if (path === ':memory:') return () => {};
  const db = new DatabaseSync(`${path}-lock`, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    const isTaken = error instanceof Error && 'errcode' in error && error.errcode === busy;
    if (!isTaken) throw error;
    const file = basename(path);
    throw new StoreError(
      'away',
      `another process has ${file} open: stop that one, or give this one another DATA_DIR or a PostgreSQL by HISTORY_URL`,
    );
  }
  return () => {
    if (db.isOpen) db.close();
  };
}
