/** What holds for every venue; the tests of each call it. */
import type { Test } from 'tap';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { assets } from './assets.ts';
import { keptBooks } from './books.ts';
import { conforms } from './conformance.ts';
import { damage } from './damage.ts';
import { faults } from './faults.ts';
import { futures } from './futures.ts';
import { histories } from './histories.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { markets } from './markets.ts';
import { messages } from './messages.ts';
import { ranges } from './ranges.ts';
import { requests } from './requests.ts';
import { tradeStreams } from './streamed-trades.ts';
import { streams } from './streams.ts';
import { subjects } from './subjects.ts';
import { trades } from './trades.ts';

/** Every check has the name of the exchange. */
export function wholeVenue(t: Test, venue: Venue): void {
  t.test(`${venue.id}: beside ccxt`, async (t) => subjects(t, venue));
  t.test(`${venue.id}: documented limits`, async (t) => limits(t, venue));
  t.test(`${venue.id}: its fixtures`, async (t) => conforms(t, venue));
  t.test(`${venue.id}: what damage costs it`, async (t) => damage(t, venue));
  t.test(`${venue.id}: its messages`, async (t) => messages(t, venue));
  t.test(`${venue.id}: its errors`, async (t) => faults(t, venue));
  t.test(`${venue.id}: its requests`, async (t) => requests(t, venue));
  t.test(`${venue.id}: its ranges`, async (t) => ranges(t, venue));
  t.test(`${venue.id}: its lists`, async (t) => lists(t, venue));
  t.test(`${venue.id}: its markets`, async (t) => markets(t, venue));
  t.test(`${venue.id}: its assets`, async (t) => assets(t, venue));
  t.test(`${venue.id}: its dated futures`, async (t) => futures(t, venue));
  t.test(`${venue.id}: its streams`, async (t) => streams(t, venue));
  t.test(`${venue.id}: its histories`, async (t) => histories(t, venue));
  t.test(`${venue.id}: its trades`, async (t) => trades(t, venue));
  t.test(`${venue.id}: its trades by stream`, async (t) => tradeStreams(t, venue));
  t.test(`${venue.id}: its books`, async (t) => keptBooks(t, venue));
}
