import type { IncomingMessage } from 'node:http';
import type { Ending } from '@millrace/runtime/bodies/arrival.ts';
import type { ArrivingBodies } from '@millrace/runtime/bodies/arriving-bodies.ts';
import { senderNetwork } from '@millrace/runtime/bodies/network.ts';
import { Pieces } from '@millrace/runtime/bodies/pieces.ts';
import { AppError } from '../errors/errors.ts';
import { restForATurn } from './reading-turns.ts';

/** Bytes of a body that are read and joined without a rest. */
const atOnceBytes = 262_144;

let gathered = 0;

/**
 * The body of a request as it was sent.
 * @throws {AppError} (as a rejection) request_too_large; request_timeout when it stalls or trickles; unavailable when memory is short
 * and it is the slowest; parse_error when the client goes away before its end
 */
export function gatherBody(request: IncomingMessage, bytesMax: number, bodies: ArrivingBodies): Promise<Uint8Array> {
  if (Number(request.headers['content-length']) > bytesMax) return Promise.reject(new AppError('request_too_large'));
  if (request.destroyed) return Promise.reject(unreadable());
  return new Promise((resolve, reject) => {
    const pieces = new Pieces();
    const order = gathered++;
    const arrival = bodies.begin({
      end: (ending) => reject(errorOf(ending)),
      sender: () => senderNetwork(request.socket.remoteAddress?.replace(/^::ffff:(?=.*\.)/, '') ?? ''),
    });
    const isOver = (): boolean => arrival.index < 0;
    const fail = (error: AppError): void => {
      bodies.done(arrival);
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      if (isOver()) return;
      if (arrival.bytes + chunk.length > bytesMax) return fail(new AppError('request_too_large'));
      pieces.add(chunk);
      bodies.take(arrival, chunk.length, true);
      if (arrival.bytes > atOnceBytes) restForATurn(request, order);
    });
    request.on('end', () => {
      if (isOver()) return;
      bodies.done(arrival);
      if (arrival.bytes > atOnceBytes) pieces.joinedInTurns().then(resolve, reject);
      else resolve(pieces.joined());
    });
    request.on('error', (cause) => fail(unreadable(cause)));
    request.on('close', () => {
      if (!isOver()) fail(unreadable());
    });
  });
}

function errorOf(ending: Ending): AppError {
  if (ending === 'share' || ending === 'memory')
    return new AppError('unavailable', {
      detail: 'The server is busy, and this body arrived slowest. Try again shortly.',
    });
  return new AppError('request_timeout', {
    detail: ending === 'slow' ? 'The request arrived too slowly.' : 'The request did not arrive in time.',
  });
}

const unreadable = (cause?: Error): AppError =>
  new AppError('parse_error', { detail: 'The request body could not be read.', cause });
