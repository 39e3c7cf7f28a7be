import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { BytesReply } from './reply.ts';
import { drained } from './send-stream.ts';
import { holdRest, type UnsentReplies } from './unsent-replies.ts';

/**
 * Bytes that are handed to a socket in one turn of the event loop. The kernel takes megabytes at once where the client
 * reads fast, and copies them while everybody else waits: waiting for its buffer alone would not stop that.
 */
const bytesAtOnce = 131_072;

/** Sends bytes that are all there, large ones in pieces; they are held as unsent as soon as the client is slow. @throws {Error} when the client goes away meanwhile */
export async function sendBytes(
  response: Response,
  { status, chunks, headers }: BytesReply,
  unsent: UnsentReplies,
): Promise<void> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  response.writeHead(status, { ...headers, 'content-length': length });
  if (length <= bytesAtOnce) {
    const whole = Buffer.concat(chunks, length);
    response.end(whole);
    return holdRest(response, [whole], unsent);
  }
  let [held, sent]: [ReturnType<UnsentReplies['hold']> | undefined, number] = [undefined, 0];
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += bytesAtOnce) {
      const piece = chunk.subarray(at, at + bytesAtOnce);
      sent += piece.length;
      if (!response.write(piece)) {
        held ??= unsent.hold(response, chunks);
        await drained(response);
        held.sent(sent);
        sent = 0;
      }
      await nextTurn();
    }
  }
  response.end();
  if (held === undefined) holdRest(response, chunks, unsent);
}
