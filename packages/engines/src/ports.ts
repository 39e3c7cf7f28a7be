import { createServer } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that was free a moment ago: the first free one from `preferred` on (at most 100 are tried),
 * or any, when none is preferred. Another process may take it before its user does: be ready to call again.
 * @throws {Error} when none of those tried is free.
 */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred === 0) return await listenOnce(0);
  for (let port = preferred; port < preferred + 100 && port <= 65_535; port += 1) {
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port between ${preferred} and ${preferred + 99} on 127.0.0.1`);
}

/** True when nothing listens on that TCP port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('the listening socket has no port'));
      });
    });
  });
}
