import { isPortFree } from '@millrace/engines/ports.ts';

/** A port that a variable sets is taken. */
export class PortTakenError extends Error {
  override name = 'PortTakenError';
}

export type ServiceName = 'capture' | 'consumer' | 'management-api';

/** Ports of each service. The consumer has no clients. */
export interface ServicePorts {
  clients: { capture: number; 'management-api': number };
  operations: Record<ServiceName, number>;
  /** Services whose port a variable sets. */
  readonly fixed: readonly ServiceName[];
}

/** Ports of a data folder's last start. The next start uses them again while they are free. */
export type KnownPorts = Pick<ServicePorts, 'clients' | 'operations'>;

/** Services and the variables of their ports. CONSUMER_PORT is the operators' port, because the consumer has no other. */
const services = [
  { name: 'capture', variable: 'CAPTURE_PORT' },
  { name: 'management-api', variable: 'API_PORT' },
  { name: 'consumer', variable: 'CONSUMER_PORT' },
] as const;

/** First choice of a new data folder. */
export const defaultPorts = { capture: 8000, 'management-api': 8001, consumer: 8002 } as const;
const defaultOperations = { capture: 8010, 'management-api': 8011 } as const;

/**
 * Chooses ports on 127.0.0.1 for each service: the one of its variable, else the one of the folder's last start, else the first free one
 * from the default on. When a port is taken, `say` gets a line with the port used instead.
 * @throws {PortTakenError} when a port of a variable is taken, or two variables have the same port
 */
export async function chooseServicePorts(
  given: Record<ServiceName, number | null>,
  known: KnownPorts | undefined,
  say: (line: string) => void,
): Promise<ServicePorts> {
  const fixed = services.filter(({ name }) => given[name] !== null);
  for (const [at, { name, variable }] of fixed.entries()) {
    const same = fixed.slice(0, at).find((other) => given[other.name] === given[name]);
    if (same !== undefined) {
      throw new PortTakenError(
        `${same.variable} and ${variable} are both ${given[name]}. Choose two different ones, or unset one to get the next free one.`,
      );
    }
  }
  for (const { name, variable } of fixed) await refuseTaken(given[name] ?? 0, variable);
  const wanted: Record<PortUser, number> = {
    capture: known?.clients.capture ?? defaultPorts.capture,
    'management-api': known?.clients['management-api'] ?? defaultPorts['management-api'],
    consumer: known?.operations.consumer ?? defaultPorts.consumer,
    'capture (operators)': known?.operations.capture ?? defaultOperations.capture,
    'management-api (operators)': known?.operations['management-api'] ?? defaultOperations['management-api'],
  };
  const taken = fixed.map(({ name }) => given[name]);
  // A service that must move does not take the wanted port of another: otherwise all would move, one after the other.
  const choose = async (user: PortUser): Promise<number> => {
    const others = Object.entries(wanted).flatMap(([other, port]) => (other === user ? [] : [port]));
    const isFree = !taken.includes(wanted[user]) && (await isPortFree(wanted[user]));
    const port = isFree ? wanted[user] : await nextFreePort(wanted[user], [...taken, ...others]);
    if (!isFree) say(replaced(user, wanted[user], port));
    taken.push(port);
    return port;
  };
  const [capture, api, consumer] = [
    given.capture ?? (await choose('capture')),
    given['management-api'] ?? (await choose('management-api')),
    given.consumer ?? (await choose('consumer')),
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
 * The ports that a folder stores for its next start: the one of a variable, else the one of the last start, even when that
 * was taken this time. The first start stores its own ports. Pure.
 */
export function portsToStore(ports: ServicePorts, known: KnownPorts | undefined): KnownPorts {
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
 * Starts a service on its ports. Another program may take a port after it was chosen: then the next free port is tried and
 * written to `ports`, unless a variable sets the port.
 * @throws the error of `start` when no port was taken, or after five attempts
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

/** Replaces the service's taken ports by the next free ones. Returns false when there is none to replace. */
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
