import type { Response } from 'express';
import type { ReplySink, StreamReply } from './reply.ts';

/** Sends the reply as fast as the client reads. @throws what the reply throws, before or after its first byte */
export async function sendStream(response: Response, reply: StreamReply): Promise<void> {
  await reply.send(sinkOf(response));
}

function sinkOf(response: Response): ReplySink {
  let takesTrailers = false;
  return {
    begin(headers, trailers = []) {
      takesTrailers = trailers.length > 0 && response.req.httpVersion === '1.1';
      response.writeHead(200, { ...headers, ...(takesTrailers && { trailer: trailers.join(', ') }) });
    },
    async write(chunk) {
      if (!response.write(chunk)) await drained(response);
    },
    end(trailers = {}) {
      if (takesTrailers) response.addTrailers(trailers);
      response.end();
    },
  };
}

/** Node keeps what is written until the client takes it: who writes on without waiting fills the memory. @throws {Error} when the client has gone away */
export function drained(response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => (): void => {
      response.off('drain', onDrain);
      response.off('close', onClose);
      done();
    };
    const onDrain = settle(resolve);
    const onClose = settle(() => reject(new Error('the client went away')));
    if (response.destroyed) return onClose();
    response.on('drain', onDrain);
    response.on('close', onClose);
  });
}
