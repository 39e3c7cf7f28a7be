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

/** Ports that a data folder had before; it gets them again while they are free. */
export type KnownPorts = Pick<ServicePorts, 'clients' | 'operations'>;

/** Ports that may be asked for by name: operators' port of the consumer, which has no other, is one. */
const services = [
  { name: 'capture', variable: 'CAPTURE_PORT' },
  { name: 'management-api', variable: 'API_PORT' },
  { name: 'consumer', variable: 'CONSUMER_PORT' },
] as const;

/** First choice of a folder that has none yet. */
export const usualPorts = { capture: 8000, 'management-api': 8001, consumer: 8002 } as const;
const usualOperations = { capture: 8010, 'management-api': 8011 } as const;

/**
 * Ports of 127.0.0.1 for each service: the one asked for, the one that the folder had before, or the first free one from the usual
 * one on. A port that another program has is told to `say`, with the one used instead.
 * @throws {PortTakenError} when a port that was asked for is taken, or two are the same.
 */
export async function chooseServicePorts(
  asked: Record<ServiceName, number | null>,
  known: KnownPorts | undefined,
  say: (line: string) => void,
): Promise<ServicePorts> {
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
  const wanted: Record<PortUser, number> = {
    capture: known?.clients.capture ?? usualPorts.capture,
    'management-api': known?.clients['management-api'] ?? usualPorts['management-api'],
    consumer: known?.operations.consumer ?? usualPorts.consumer,
    'capture (operators)': known?.operations.capture ?? usualOperations.capture,
    'management-api (operators)': known?.operations['management-api'] ?? usualOperations['management-api'],
  };
  const taken = fixed.map(({ name }) => asked[name]);
  // A service that must move takes no port that another one is to keep: all of them would move, one after the other.
  const choose = async (user: PortUser): Promise<number> => {
    const others = Object.entries(wanted).flatMap(([other, port]) => (other === user ? [] : [port]));
    const isKept = !taken.includes(wanted[user]) && (await isPortFree(wanted[user]));
    const port = isKept ? wanted[user] : await nextFreePort(wanted[user], [...taken, ...others]);
    if (!isKept) say(replaced(user, wanted[user], port));
    taken.push(port);
    return port;
  };
  const [capture, api, consumer] = [
    asked.capture ?? (await choose('capture')),
    asked['management-api'] ?? (await choose('management-api')),
    asked.consumer ?? (await choose('consumer')),
  ];
  return {
    clients: { capture, 'management-api': api },
    operations: {
      capture: await choose('capture (operators)'),
      'management-api': await choose('management-api (operators)'),
      consumer,
    },
    fixed: fixed.map(({ name }) => name),
  };
}

/**
 * The ports that a folder keeps for its next start: one that was asked for, else the one that it had before, even when it
 * was taken this time; the ports of this start, when it is the first.
 */
export function portsToKeep(ports: ServicePorts, known: KnownPorts | undefined): KnownPorts {
  const { clients, operations, fixed } = ports;
  if (known === undefined) return { clients, operations };
  const client = (name: 'capture' | 'management-api'): number => (fixed.includes(name) ? clients : known.clients)[name];
  return {
    clients: { capture: client('capture'), 'management-api': client('management-api') },
    operations: {
      ...known.operations,
      consumer: (fixed.includes('consumer') ? operations : known.operations).consumer,
    },
  };
}

type PortUser = ServiceName | 'capture (operators)' | 'management-api (operators)';

const variableOf: Partial<Record<PortUser, string>> = Object.fromEntries(
  services.map(({ name, variable }) => [name, variable]),
);

function replaced(user: PortUser, wanted: number, port: number): string {
  const variable = variableOf[user];
  const way = variable === undefined ? '' : ` (${variable} sets another one)`;
  return `port ${wanted} is taken: ${user} uses ${port} instead${way}`;
}

/**
 * Starts a service on its ports. Between the choice of a port and its use another program may take it: then the next one
 * is tried, and noted in `ports`, unless it was asked for by name.
 * @throws what `start` throws when that is not the reason.
 */
export async function onFreePort<T>(
  name: ServiceName,
  ports: ServicePorts,
  say: (line: string) => void,
  start: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries === triesMax || !(await moveTaken(name, ports, say))) throw error;
    }
  }
}

/** Moves those ports of a service that another program has taken to the next free ones. False: there is none that may move. */
async function moveTaken(name: ServiceName, ports: ServicePorts, say: (line: string) => void): Promise<boolean> {
  const others = (): number[] => [...Object.values(ports.clients), ...Object.values(ports.operations)];
  const isFixed = ports.fixed.includes(name);
  let moved = false;
  if (name !== 'consumer' && !isFixed) moved = await move(ports.clients, name, name);
  if (name === 'consumer') return isFixed ? moved : await move(ports.operations, name, name);
  return (await move(ports.operations, name, `${name} (operators)`)) || moved;

  async function move<N extends ServiceName>(of: Record<N, number>, key: N, user: PortUser): Promise<boolean> {
    const before = of[key];
    if (await isPortFree(before)) return false;
    of[key] = await nextFreePort(before, others());
    say(replaced(user, before, of[key]));
    return true;
  }
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
