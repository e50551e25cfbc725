/**
 * Names of the headers that are read from most requests, as bytes: uWebSockets.js encodes a string at every call, which
 * takes as long as the look-up.
 */
const bytesOf = (name: string): ArrayBuffer => new TextEncoder().encode(name).buffer;

export const names = {
  accept: bytesOf('accept'),
  acceptEncoding: bytesOf('accept-encoding'),
  authorization: bytesOf('authorization'),
  contentLength: bytesOf('content-length'),
  ifNoneMatch: bytesOf('if-none-match'),
  ifRange: bytesOf('if-range'),
  binanceKey: bytesOf('x-mbx-apikey'),
  key: bytesOf('x-api-key'),
  range: bytesOf('range'),
  requestId: bytesOf('x-request-id'),
  transferEncoding: bytesOf('transfer-encoding'),
} as const;
