import { freePort, isPortFree } from '@millrace/engines/ports.ts';

/** A port that was asked for by name is taken. */
export class PortTakenError extends Error {
  override name = 'PortTakenError';
}

export type ServiceName = 'capture' | 'consumer' | 'management-api';

/** Where each service listens, and which of the ports were asked for by name. */
export interface ServicePorts extends Record<ServiceName, number> {
  readonly fixed: readonly ServiceName[];
}

/**
 * A port of 127.0.0.1 for each service: the fixed ones, else the first free one from 8000 or 8001 on, else (the
 * consumer, which only operators ask) any.
 * @throws {PortTakenError} when a fixed one is taken, or both are the same.
 */
export async function chooseServicePorts({ capturePort, apiPort }: { capturePort: number | null; apiPort: number | null }): Promise<ServicePorts> {
  if (capturePort !== null && capturePort === apiPort) {
    throw new PortTakenError(`CAPTURE_PORT and API_PORT are both ${capturePort}. Choose two different ones, or unset one to get the next free one.`);
  }
  if (capturePort !== null) await refuseTaken(capturePort, 'CAPTURE_PORT');
  if (apiPort !== null) await refuseTaken(apiPort, 'API_PORT');
  const capture = capturePort ?? (await nextFreePort(8000, [apiPort]));
  const api = apiPort ?? (await nextFreePort(8001, [capture]));
  const fixed: ServiceName[] = [...(capturePort === null ? [] : ['capture' as const]), ...(apiPort === null ? [] : ['management-api' as const])];
  return { capture, 'management-api': api, consumer: await freePort(), fixed };
}

/**
 * Starts a service on its port. Between the choice of a port and its use another program may take it: then the next one
 * is tried, and noted in `ports`, unless it was asked for by name.
 * @throws what `start` throws when that is not the reason.
 */
export async function onFreePort<T>(name: ServiceName, ports: ServicePorts, start: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries === triesMax || ports.fixed.includes(name) || (await isPortFree(ports[name]))) throw error;
      ports[name] = await nextFreePort(ports[name], [ports.capture, ports.consumer, ports['management-api']]);
    }
  }
}

const triesMax = 5;

async function refuseTaken(port: number, variable: string): Promise<void> {
  if (await isPortFree(port)) return;
  throw new PortTakenError(`Port ${port} (${variable}) is taken. Free it, choose another one, or unset ${variable} to get the next free one.`);
}

async function nextFreePort(from: number, except: readonly (number | null)[]): Promise<number> {
  for (let port = from; port < from + 200 && port <= 65_535; port++) {
    if (!except.includes(port) && (await isPortFree(port))) return port;
  }
  throw new PortTakenError(`No port from ${from} to ${from + 199} is free.`);
}
