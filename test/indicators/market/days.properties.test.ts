/** Days that are printed by the engine and read again, and rubbish. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { dateOf, dayAt, dayLength, dayOf } from '../../../indicators/market/days.ts';
import { property } from '../../support/property.ts';

const first = Date.UTC(1970, 0, 2);
const times = fc.integer({ min: first, max: Date.UTC(2200, 0) });

t.test('a day is printed and read again', async (t) => {
  await property(t, times, (time) => {
    const day = dayAt(time);
    assert.ok(day <= time && time < day + dayLength && day % dayLength === 0);
    assert.equal(dayOf(dateOf(day)), day);
  });
});

t.test('a day with a wrong character is none, or one that there is', async (t) => {
  const change = fc.tuple(fc.nat(10), fc.constantFrom(...'0123456789-:.TZ x+', ''));
  await property(t, fc.tuple(times, fc.array(change, { maxLength: 3 })), ([time, changes]) => {
    let text = dateOf(dayAt(time));
    for (const [at, char] of changes) text = text.slice(0, at) + char + text.slice(at + 1);
    const day = dayOf(text);
    if (!Number.isNaN(day)) assert.equal(new Date(day).toISOString().slice(0, 10), text);
  });
});
