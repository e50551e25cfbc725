/** The code that runs in the thread. */
export { readBulk as default } from './bulk-sources.ts';
