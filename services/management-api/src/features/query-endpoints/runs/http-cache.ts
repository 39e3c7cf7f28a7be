import { hash } from 'node:crypto';
import type { ServedResult } from './get-or-compute-result.ts';
import type { RunRequest } from './run-request.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';

interface CacheableRun {
  request: Pick<RunRequest, 'refresh'>;
  version: Pick<RunnableVersion, 'dataFreshnessSeconds'>;
}

/**
 * Headers that let a client cache a reply until its result is too old (HTTP: RFC 9110, 9111). A reply to `force` or `direct` must
 * be revalidated each time. The tag is weak, because two replies of one result differ in their `execution_id`. Pure.
 */
export function cacheHeaders(
  { key, result: { atMs } }: ServedResult,
  { request: { refresh }, version: { dataFreshnessSeconds } }: CacheableRun,
  nowMs: number,
): Record<string, string> {
  const leftSeconds = Math.max(0, Math.floor((atMs - nowMs) / 1000) + dataFreshnessSeconds);
  return {
    etag: `W/"${hash('sha256', `${key} ${atMs}`, 'base64url').slice(0, 27)}"`,
    'cache-control': refresh === 'cache' ? `private, max-age=${leftSeconds}` : 'private, no-cache',
    vary: 'Accept, Authorization',
  };
}
