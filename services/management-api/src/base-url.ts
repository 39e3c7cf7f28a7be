import type { Request } from 'express';

/** The API's address as the client sees it: `publicUrl` when configured, else from the request's host. */
export function createBaseUrl(publicUrl: string | null): (request: Request) => string {
  const configured = publicUrl?.replace(/\/+$/, '');
  return (request) => {
    if (configured !== undefined) return configured;
    const host = request.headers.host ?? '';
    return `http://${/^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) ? host : 'localhost'}`;
  };
}
