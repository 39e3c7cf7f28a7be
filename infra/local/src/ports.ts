import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that was asked for by name is taken. */
export class PortTakenError extends Error {
  override name = 'PortTakenError';
}

/**
 * Chooses a port on 127.0.0.1: the fixed one, or the first free one from `preferred` on.
 * @throws {PortTakenError} when the fixed one is taken.
 */
export async function choosePort(choice: { fixed: number | null; variable: string; preferred: number; except: readonly number[] }): Promise<number> {
  if (choice.fixed !== null) {
    if (await isFree(choice.fixed)) return choice.fixed;
    throw new PortTakenError(`Port ${choice.fixed} (${choice.variable}) is taken. Free it, choose another one, or unset ${choice.variable} to get the next free one.`);
  }
  for (let port = choice.preferred; port < choice.preferred + 200; port++) {
    if (!choice.except.includes(port) && (await isFree(port))) return port;
  }
  throw new PortTakenError(`No port from ${choice.preferred} to ${choice.preferred + 199} is free.`);
}

/** A port that is free now, chosen by the system. */
export async function anyFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
