import { runGroup } from '../support/groups.ts';

runGroup(import.meta.filename);
