/** A process that holds a history file open until it is killed: `node store-holder.ts <path>`. */
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { interest } from './events.ts';

const store = new SqliteStore(process.argv[2] ?? '', [interest]);
process.on('disconnect', () => void store.close().then(() => process.exit(0)));
process.send?.('open');
