/** What routes and views learn of the exchanges, of three of them. */
import t from 'tap';
import { venues as registry } from '../../../actors/venues/registry.ts';
import {
  catalogueOf,
  feedsOf,
  liquidationStreamsOf,
  optionListsOf,
} from '../../../cmd/process/venues.ts';
import { sameAsDeclared } from '../../support/declared.ts';

t.test('capabilities, lists, streams and intervals of exchanges', async (t) => {
  const { okx, lighter, coinbase } = registry;
  const three = new Map([okx, lighter, coinbase].map((venue) => [venue.id, venue]));
  const { registry: rows, exchanges, candleIntervals } = catalogueOf(three);
  const found = {
    ...Object.fromEntries(rows.map((row) => [row.id, row])),
    exchanges,
    intervals: Object.fromEntries(candleIntervals),
    options: Object.fromEntries(optionListsOf(three)),
    liquidations: Object.fromEntries(liquidationStreamsOf(three)),
    feeds: feedsOf(three, ['instruments', 'prices']),
  };
  sameAsDeclared(t, 'capabilities', found, 'properties');
});
