/** A request's address before and after the first `?`, both undecoded; `rawQuery` is null when there is none. */
export function splitUrl(url = ''): { path: string; rawQuery: string | null } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, rawQuery: null } : { path: url.slice(0, at), rawQuery: url.slice(at + 1) };
}
