/** Bodies that are made to use up the memory of whoever reads them; each is made when it is first sent. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

const mebibyte = 2 ** 20;
const type = { 'content-type': 'application/json;charset=UTF-8' };

const once = (make: () => Buffer): (() => Buffer) => {
  let made: Buffer | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const rows = once(() => Buffer.from('{"symbol":"BTCUSDT","price":"1"},'.repeat(32_768)));
/** One member of gzip after the other are one body (RFC 1952, 2.2). */
const bomb = once(() => {
  const member = gzipSync(Buffer.alloc(mebibyte, ' '));
  return Buffer.concat(Array.from({ length: 400 }, () => member));
});
const arrays = once(() => Buffer.from('['.repeat(2_000_000) + ']'.repeat(2_000_000)));

/** 100 MB of a list, as fast as the client reads. */
export function sendHuge(response: ServerResponse): void {
  response.writeHead(200, type);
  response.write('[');
  let left = 100;
  const more = () => {
    while (left-- > 0) if (!response.write(rows())) return;
    response.end();
  };
  response.on('drain', more);
  more();
}

/** 400 MB of blanks, compressed. */
export function sendGzipBomb(response: ServerResponse): void {
  response.writeHead(200, { ...type, 'content-encoding': 'gzip' }).end(bomb());
}

/** 2 million arrays, one in the other: 4 MB of text, from which a parser makes more than a hundred. */
export function sendNested(response: ServerResponse): void {
  response.writeHead(200, type).end(arrays());
}
