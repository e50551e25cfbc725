/** What data providers, chains and topics declare: equal to a table, which changes on purpose only. */
import t from 'tap';
import { providers } from '../../actors/providers/registry.ts';
import { topics } from '../../actors/topics/table.ts';
import { chains } from '../../config/chains.ts';
import { sameAsDeclared } from '../support/declared.ts';

for (const [name, value] of Object.entries({ providers, topics, chains })) {
  t.test(name, async (t) => sameAsDeclared(t, name, value));
}
