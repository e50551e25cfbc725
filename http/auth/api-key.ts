/**
 * API keys: `tm_live_` (`tm_link_` of those that stand in URLs), 32 random base62 characters, and the CRC-32 of all of these as six base62 characters.
 * Twenty-eight characters (166 bits) stay secret when the prefix is shown. With the checksum a mistyped or invented
 * key is refused without a look-up, and secret scanners recognise a key:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const keyKinds = ['live', 'link'] as const;
export type KeyKind = (typeof keyKinds)[number];

const startOf = { live: 'tm_live_', link: 'tm_link_' } as const satisfies Record<KeyKind, string>;
const secretLength = 32;
const checksumLength = 6;
const prefixLength = 12;
const bodyLength = startOf.live.length + secretLength;
const keyLength = bodyLength + checksumLength;

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^[0-9A-Za-z]+$/;

/** Larger bytes are skipped: 256 is not a multiple of 62, so they would make the first digits more likely. */
const fairBytes = 256 - (256 % digits.length);

/** A new random key. */
export function generateKey(kind: KeyKind = 'live'): string {
  let body: string = startOf[kind];
  while (body.length < bodyLength) {
    for (const byte of randomBytes(secretLength)) {
      if (byte < fairBytes && body.length < bodyLength) body += digits.charAt(byte % digits.length);
    }
  }
  return body + checksum(body);
}

/** Whether a text has the form of a key of a kind and its checksum is right. A long text costs no more than a short one. */
export const isKeyOf = (kind: KeyKind, text: string): boolean =>
  text.length === keyLength &&
  text.startsWith(startOf[kind]) &&
  form.test(text.slice(startOf[kind].length)) &&
  checksum(text.slice(0, bodyLength)) === text.slice(bodyLength);

const ticketBytes = 24;
const ticketForm = /^[\w-]{32}$/;

/** A new random ticket: 24 bytes in base64url. */
export const generateTicket = (): string => randomBytes(ticketBytes).toString('base64url');

/** Whether a text has the form of a ticket. */
export const isTicket = (text: string): boolean => ticketForm.test(text);

/** The stored form of a key: its SHA-256 in base64url. A key is random enough to need neither salt nor stretching. */
export const digestOf = (key: string): string =>
  createHash('sha256').update(key).digest('base64url');

/** The kind of a key by its prefix. */
export const kindOfPrefix = (prefix: string): KeyKind =>
  prefix.startsWith(startOf.link) ? 'link' : 'live';

/** The part of a key that lists show: its first 12 characters. */
export const prefixOf = (key: string): string => key.slice(0, prefixLength);

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text = digits.charAt(rest % digits.length) + text;
    rest = Math.trunc(rest / digits.length);
  }
  return text;
}
