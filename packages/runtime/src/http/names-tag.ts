/**
 * True when `If-None-Match` names the `ETag`, or is `*`. A weak tag is equal to a strong one: proxies that compress make tags weak. Pure.
 */
export function namesTag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  const strong = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === strong);
}
