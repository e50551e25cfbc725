/**
 * Names of headers that most requests are asked for, as bytes: uWebSockets.js encodes a name that is a string anew at
 * every call, which takes as long again as the look-up.
 */
const bytesOf = (name: string): ArrayBuffer => new TextEncoder().encode(name).buffer;

export const names = {
  acceptEncoding: bytesOf('accept-encoding'),
  authorization: bytesOf('authorization'),
  ifNoneMatch: bytesOf('if-none-match'),
  key: bytesOf('x-api-key'),
} as const;
