const opaque = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);

/**
 * Whether an `If-None-Match` header names `etag`: one tag or a list, compared weakly (RFC 9110, 8.8.3.2 and 13.1.2). `*`
 * names none: it would make every answer a 304, which no quota counts, for a client that has none of them.
 */
export function matchesTag(header: string, etag: string): boolean {
  if (header === etag) return true;
  const wanted = opaque(etag);
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === wanted);
}
