import { isPortFree } from '@millrace/engines/ports.ts';

/** A port that was asked for by name is taken. */
export class PortTakenError extends Error {
  override name = 'PortTakenError';
}

export type ServiceName = 'capture' | 'consumer' | 'management-api';

/** Where each service listens, and which of the ports were asked for by name. */
export interface ServicePorts extends Record<ServiceName, number> {
  readonly fixed: readonly ServiceName[];
}

const services = [
  { name: 'capture', variable: 'CAPTURE_PORT', usual: 8000 },
  { name: 'management-api', variable: 'API_PORT', usual: 8001 },
  { name: 'consumer', variable: 'CONSUMER_PORT', usual: 8002 },
] as const;

/**
 * A port of 127.0.0.1 for each service: the fixed one, or the first free one from its usual one on.
 * @throws {PortTakenError} when a fixed one is taken, or two are the same.
 */
export async function chooseServicePorts(asked: Record<ServiceName, number | null>): Promise<ServicePorts> {
  const fixed = services.filter(({ name }) => asked[name] !== null);
  for (const [at, { name, variable }] of fixed.entries()) {
    const same = fixed.slice(0, at).find((other) => asked[other.name] === asked[name]);
    if (same !== undefined) {
      throw new PortTakenError(`${same.variable} and ${variable} are both ${asked[name]}. Choose two different ones, or unset one to get the next free one.`);
    }
  }
  for (const { name, variable } of fixed) await refuseTaken(asked[name] ?? 0, variable);
  const ports = { ...asked };
  for (const { name, usual } of services) ports[name] ??= await nextFreePort(usual, Object.values(ports));
  return { ...(ports as Record<ServiceName, number>), fixed: fixed.map(({ name }) => name) };
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
