/**
 * A request's target without scheme and host: clients of proxies send `http://host/path?query`, which every server must
 * take (RFC 9112 3.2.2). The host that it names does not matter. Pure.
 */
export function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}
