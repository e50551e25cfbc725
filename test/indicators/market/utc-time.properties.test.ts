/** Times that are printed by the engine and read again, and rubbish. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { dateOf, dayAt, dayLength, dayOf } from '../../../indicators/market/days.ts';
import { utcTime } from '../../../indicators/market/utc-time.ts';
import { property } from '../../support/property.ts';

const first = Date.UTC(1970, 0, 2);
const times = fc.integer({ min: first, max: Date.UTC(2200, 0) });

t.test('a printed time is read again, with any number of decimals', async (t) => {
  const decimals = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 9 });
  await property(t, fc.tuple(times, decimals), ([time, more]) => {
    const printed = new Date(time).toISOString();
    assert.equal(utcTime(printed), time);
    assert.equal(utcTime(printed.replace('Z', `${more}Z`)), time, 'further digits are cut off');
    assert.equal(utcTime(printed.replace(/\.\d+/, '')), Math.floor(time / 1_000) * 1_000);
  });
});

t.test('a day is printed and read again', async (t) => {
  await property(t, times, (time) => {
    const day = dayAt(time);
    assert.ok(day <= time && time < day + dayLength && day % dayLength === 0);
    assert.equal(dayOf(dateOf(day)), day);
  });
});

t.test('a time with a wrong character is none, or what the engine reads', async (t) => {
  const change = fc.tuple(fc.nat(30), fc.constantFrom(...'0123456789-:.TZ x+', ''));
  await property(t, fc.tuple(times, fc.array(change, { maxLength: 3 })), ([time, changes]) => {
    let text = new Date(time).toISOString();
    for (const [at, char] of changes) text = text.slice(0, at) + char + text.slice(at + 1);
    const found = utcTime(text);
    if (!Number.isNaN(found)) assert.equal(found, Date.parse(text), text);
    const day = dayOf(text.slice(0, 10));
    if (!Number.isNaN(day))
      assert.equal(new Date(day).toISOString().slice(0, 10), text.slice(0, 10));
  });
});
