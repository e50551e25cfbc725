/** What holds for every venue; the tests of each call it. */
import t from 'tap';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { keptBooks } from './books.ts';
import { conforms } from './conformance.ts';
import { damage } from './damage.ts';
import { distinct, type Equal } from './distinct.ts';
import { facts } from './facts.ts';
import { faults } from './faults.ts';
import { lifetimes } from './lifetimes.ts';
import { liquidations } from './liquidations.ts';
import { lists } from './lists.ts';
import { messages } from './messages.ts';
import { livePrices } from './prices.ts';
import { ranges } from './ranges.ts';
import { liveRates } from './rates.ts';
import { requests } from './requests.ts';
import { streams } from './streams.ts';
import { units } from './units.ts';

/** `equal` are numbers of a row of its fixtures that its format wants to be the same. */
export function wholeVenue(venue: Venue, equal: Equal = {}): void {
  t.test('columns that can be told apart', async (t) => distinct(t, venue, equal));
  t.test('facts of its API', async (t) => facts(t, venue));
  t.test('its fixtures', async (t) => conforms(t, venue));
  t.test('what damage costs it', async (t) => damage(t, venue));
  t.test('its messages', async (t) => messages(t, venue));
  t.test('its errors', async (t) => faults(t, venue));
  t.test('its requests', async (t) => requests(t, venue));
  t.test('its ranges', async (t) => ranges(t, venue));
  t.test('its lifetimes', async (t) => lifetimes(t, venue));
  t.test('its connections', async (t) => streams(t, venue));
  t.test('its lists', async (t) => lists(t, venue));
  t.test('its units', async (t) => units(t, venue));
  t.test('its prices by stream', async (t) => livePrices(t, venue));
  t.test('its rates by stream', async (t) => liveRates(t, venue));
  t.test('its liquidations', async (t) => liquidations(t, venue));
  t.test('its books', async (t) => keptBooks(t, venue));
}
