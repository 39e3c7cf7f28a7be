import { release } from '@millrace/runtime/release.ts';

/** Largest response that is read: a reply is a small object, whatever a server sends. */
export const responseBytesMax = 2_097_152;

/**
 * `fetch` for the client library. It sends the key and few other headers: the library's own describe this machine, and it would read more
 * from the environment. A redirect is an answer like any other, so that texts and key go to no other address. A response beyond
 * `responseBytesMax` fails while it is read.
 */
export function boundedFetch(apiKey: string | null): typeof fetch {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `millrace/${release}`,
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  };
  return async (url, init) => {
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const { status, statusText } = response;
    return new Response(response.body?.pipeThrough(byteLimit()) ?? null, {
      status,
      statusText,
      headers: response.headers,
    });
  };
}

function byteLimit(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > responseBytesMax) controller.error(new Error('the response is too large'));
      else controller.enqueue(chunk);
    },
  });
}
