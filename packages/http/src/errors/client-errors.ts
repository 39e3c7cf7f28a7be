import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from './error-table.ts';
import { AppError, errorBody } from './errors.ts';

/**
 * Replies to what never became a request (no HTTP, headers too large, headers that never end) in the form of all other
 * errors, and closes the connection. Without it Node replies with no body at all.
 */
export function replyToClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    socket.end(rawReply(new AppError(codes[error.code ?? ''] ?? 'malformed_request')));
  });
}

/**
 * Refuses a request of HTTP/1.1 without `Host` (RFC 9112 3.2) in the form of all other errors, and returns whether it did so. Node's own
 * reply has no body: the server needs `requireHostHeader: false`.
 */
export function refuseMissingHost({ headers, httpVersion }: IncomingMessage, response: ServerResponse): boolean {
  if (headers.host !== undefined || httpVersion !== '1.1') return false;
  const error = new AppError('malformed_request', { detail: 'The request has no header Host.' });
  response.writeHead(error.status, { 'content-type': 'application/json' }).end(JSON.stringify(errorBody(error)));
  return true;
}

const codes: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

function rawReply(error: AppError): string {
  const body = JSON.stringify(errorBody(error));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
