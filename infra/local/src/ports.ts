import { isPortFree } from '@millrace/engines/ports.ts';

/** A port that was asked for by name is taken. */
export class PortTakenError extends Error {
  override name = 'PortTakenError';
}

export type ServiceName = 'capture' | 'consumer' | 'management-api';

/** Where each service listens for its clients (the consumer has none), where for operators, and which ports were asked for. */
export interface ServicePorts {
  clients: { capture: number; 'management-api': number };
  operations: Record<ServiceName, number>;
  readonly fixed: readonly ServiceName[];
}

/** Ports that may be asked for by name: operators' port of the consumer, which has no other, is one. */
const services = [
  { name: 'capture', variable: 'CAPTURE_PORT' },
  { name: 'management-api', variable: 'API_PORT' },
  { name: 'consumer', variable: 'CONSUMER_PORT' },
] as const;

const usual = { capture: 8000, 'management-api': 8001, consumer: 8002 } as const;
const usualOperations = { capture: 8010, 'management-api': 8011 } as const;

/**
 * Ports of 127.0.0.1 for each service: the fixed one, or the first free one from its usual one on.
 * @throws {PortTakenError} when a fixed one is taken, or two are the same.
 */
export async function chooseServicePorts(asked: Record<ServiceName, number | null>): Promise<ServicePorts> {
  const fixed = services.filter(({ name }) => asked[name] !== null);
  for (const [at, { name, variable }] of fixed.entries()) {
    const same = fixed.slice(0, at).find((other) => asked[other.name] === asked[name]);
    if (same !== undefined) {
      throw new PortTakenError(
        `${same.variable} and ${variable} are both ${asked[name]}. Choose two different ones, or unset one to get the next free one.`,
      );
    }
  }
  for (const { name, variable } of fixed) await refuseTaken(asked[name] ?? 0, variable);
  const taken = fixed.map(({ name }) => asked[name]);
  const next = async (from: number): Promise<number> => {
    const port = await nextFreePort(from, taken);
    taken.push(port);
    return port;
  };
  const [capture, api, consumer] = [
    asked.capture ?? (await next(usual.capture)),
    asked['management-api'] ?? (await next(usual['management-api'])),
    asked.consumer ?? (await next(usual.consumer)),
  ];
  return {
    clients: { capture, 'management-api': api },
    operations: {
      capture: await next(usualOperations.capture),
      'management-api': await next(usualOperations['management-api']),
      consumer,
    },
    fixed: fixed.map(({ name }) => name),
  };
}

/**
 * Starts a service on its ports. Between the choice of a port and its use another program may take it: then the next one
 * is tried, and noted in `ports`, unless it was asked for by name.
 * @throws what `start` throws when that is not the reason.
 */
export async function onFreePort<T>(name: ServiceName, ports: ServicePorts, start: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries === triesMax || !(await moveTaken(name, ports))) throw error;
    }
  }
}

/** Moves those ports of a service that another program has taken to the next free ones. False: there is none that may move. */
async function moveTaken(name: ServiceName, ports: ServicePorts): Promise<boolean> {
  const others = (): number[] => [...Object.values(ports.clients), ...Object.values(ports.operations)];
  const isFixed = ports.fixed.includes(name);
  let moved = false;
  if (name !== 'consumer' && !isFixed && !(await isPortFree(ports.clients[name]))) {
    ports.clients[name] = await nextFreePort(ports.clients[name], others());
    moved = true;
  }
  if ((name !== 'consumer' || !isFixed) && !(await isPortFree(ports.operations[name]))) {
    ports.operations[name] = await nextFreePort(ports.operations[name], others());
    moved = true;
  }
  return moved;
}

const triesMax = 5;

async function refuseTaken(port: number, variable: string): Promise<void> {
  if (await isPortFree(port)) return;
  throw new PortTakenError(
    `Port ${port} (${variable}) is taken. Free it, choose another one, or unset ${variable} to get the next free one.`,
  );
}

async function nextFreePort(from: number, except: readonly (number | null)[]): Promise<number> {
  for (let port = from; port < from + 200 && port <= 65_535; port++) {
    if (!except.includes(port) && (await isPortFree(port))) return port;
  }
  throw new PortTakenError(`No port from ${from} to ${from + 199} is free.`);
}
