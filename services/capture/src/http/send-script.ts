import type { ServerResponse } from 'node:http';
import { namesTag } from '@millrace/runtime/http/names-tag.ts';

/** A script, compressed too and with its `ETag` where it is requested often. */
export interface Script {
  plain: Buffer;
  gzipped?: Buffer;
  tag?: string;
}

/**
 * Sends a script with 200, or 304 to who has it. Pages of any origin may load it, as a script and by `fetch`. Nothing in the
 * reply is of one client or origin: shared caches store it for all (contract/capture 1.8).
 */
export function sendScript(response: ServerResponse, { plain, gzipped, tag }: Script, cacheControl: string): void {
  const { headers } = response.req;
  const shared = {
    'access-control-allow-origin': '*',
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Accept-Encoding',
    ...(tag !== undefined && { etag: tag }),
  };
  if (namesTag(headers['if-none-match'], tag)) {
    response.writeHead(304, shared).end();
    return;
  }
  const zipped = /\bgzip\b(?!\s*;\s*q=0(?![.\d]))/.test(headers['accept-encoding'] ?? '') ? gzipped : undefined;
  const body = zipped ?? plain;
  response
    .writeHead(200, {
      ...shared,
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(body.length),
      ...(zipped !== undefined && { 'content-encoding': 'gzip' }),
    })
    .end(body);
}
