import type { Request } from 'express';
import { withoutEnd } from '@millrace/runtime/without-end.ts';

/** The API's address as the client sees it: `publicUrl` when configured, else from the request's host. */
export function createBaseUrl(publicUrl: string | null): (request: Request) => string {
  const configured = publicUrl === null ? undefined : withoutEnd(publicUrl, '/');
  return (request) => {
    if (configured !== undefined) return configured;
    const host = request.headers.host ?? '';
    return `http://${/^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) ? host : 'localhost'}`;
  };
}
