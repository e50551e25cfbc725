import { createHash } from 'node:crypto';
import t from 'tap';
import {
  digestOf,
  generateKey,
  generateTicket,
  isKeyOf,
  isTicket,
  prefixOf,
} from '../../../http/auth/api-key.ts';

const isWellFormed = (text: string) => isKeyOf('live', text);

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 as in IEEE 802.3, bit by bit. */
function crc(text: string): number {
  let value = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

const number = (base62: string) =>
  [...base62].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);

t.test('a key has the documented form, and no two are the same', async (t) => {
  const keys = Array.from({ length: 2_000 }, generateKey);
  t.ok(keys.every((key) => /^tm_live_[0-9A-Za-z]{38}$/.test(key)));
  t.ok(keys.every(isWellFormed));
  t.equal(new Set(keys).size, keys.length);
  const wrong = keys.filter((key) => number(key.slice(-6)) !== crc(key.slice(0, -6)));
  t.same(wrong, [], 'the last six are the CRC-32 of the rest in base62');
});

t.test('every digit of the secret is as likely as any other', async (t) => {
  const counts = new Map<string, number>();
  const keys = Array.from({ length: 4_000 }, generateKey);
  for (const digit of keys.flatMap((key) => [...key.slice(8, 40)])) {
    counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  t.equal(counts.size, 62);
  const expected = (4_000 * 32) / 62;
  const chi2 = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
  // 61 degrees of freedom: beyond 130 once in a million runs.
  t.ok(chi2 < 130, `chi-squared ${chi2}`);
});

t.test('one wrong character, wherever it is, makes a key malformed', async (t) => {
  const key = generateKey();
  const next = (c: string) => digits[(digits.indexOf(c) + 1) % 62] ?? '_';
  const mistyped = [...key].map((c, i) => key.slice(0, i) + next(c) + key.slice(i + 1));
  t.same(mistyped.filter(isWellFormed), []);
  const swapped = [...key.slice(8, -1)]
    .map((c, i) => key.slice(0, i + 8) + key[i + 9] + c + key.slice(i + 10))
    .filter((text) => text !== key);
  t.same(swapped.filter(isWellFormed), []);
  const others = [
    '',
    'tm_live_',
    key.slice(1),
    `${key}0`,
    ` ${key}`,
    key.toUpperCase(),
    `${key}\n`,
  ];
  t.same(others.filter(isWellFormed), []);
});

t.test('what is stored and what is shown', async (t) => {
  const key = generateKey();
  t.equal(digestOf(key), createHash('sha256').update(key).digest().toString('base64url'));
  t.equal(prefixOf(key), key.slice(0, 12));
});

t.test('a ticket has 32 characters of base64url', async (t) => {
  const ticket = 'AbCdEfGhIjKlMnOpQrStUvWxYz01-_89';
  t.equal(isTicket(ticket), true);
  t.equal(isTicket(generateTicket()), true);
  for (const text of [
    '',
    'x',
    `${ticket}A`,
    ticket.slice(1),
    `${ticket.slice(1)}=`,
    `${ticket}\n`,
  ]) {
    t.equal(isTicket(text), false, JSON.stringify(text));
  }
});
