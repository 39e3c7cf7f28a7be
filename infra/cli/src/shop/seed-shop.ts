import { CliError } from '../cli-error.ts';
import { type ShopEvent, shopEvents } from './shop-events.ts';

/** The parts of a system that seeding needs. */
export interface ShopTarget {
  /** Uuids of the shop's events that queries see now, in any order. */
  storedUuids: () => Promise<string[]>;
  /** Sends events through capture. @throws when capture does not accept them */
  send: (events: readonly ShopEvent[]) => Promise<void>;
  /** Waits before the next query. */
  pause: () => Promise<void>;
}

export interface SeedOptions {
  /** Last day of a new shop, as `2026-05-31`, in UTC. A shop that exists already keeps its days. */
  lastDay: string;
  /** The user chose the last day: a shop with another last day is an error. */
  isChosen: boolean;
  onProgress: (done: number, all: number, what: 'sent' | 'visible') => void;
}

export interface SeededShop {
  events: readonly ShopEvent[];
  firstDay: string;
  lastDay: string;
  /** Events that this call sent. */
  sent: number;
}

const batchSize = 500;
/** Queries without a new event after which the wait ends. */
const idleQueriesMax = 120;
const dayMs = 86_400_000;

/**
 * Sends the demo shop, and waits until queries see all its events. Stored events are not sent again, and a partly sent shop keeps its
 * days. The same events always have the same uuids, so an event that arrives twice counts once.
 * @throws {CliError} when the project has a shop of other days, or events do not become visible
 */
export async function seedShop(target: ShopTarget, options: SeedOptions): Promise<SeededShop> {
  const stored = new Set(await target.storedUuids());
  const events = matching(stored, options);
  const missing = events.filter(({ uuid }) => !stored.has(uuid));
  for (let at = 0; at < missing.length; at += batchSize) {
    await target.send(missing.slice(at, at + batchSize));
    options.onProgress(Math.min(at + batchSize, missing.length), missing.length, 'sent');
  }
  if (missing.length > 0) await untilVisible(target, events, options);
  const [firstDay = '', lastDay = ''] = [events[0], events.at(-1)].map((event) => event?.timestamp.slice(0, 10));
  return { events, firstDay, lastDay, sent: missing.length };
}

/** The shop of the wanted day, or the one whose events are stored. */
function matching(stored: ReadonlySet<string>, { lastDay, isChosen }: SeedOptions): ShopEvent[] {
  const wanted = shopEvents(lastDay);
  const [any] = stored;
  if (any === undefined) return wanted;
  const twin = wanted.find(({ uuid }) => untimed(uuid) === untimed(any));
  if (twin === undefined)
    throw new CliError('The project already has the shop of another release. Create a new project for this one.');
  const daysLater = (msOf(any) - msOf(twin.uuid)) / dayMs;
  if (daysLater === 0) return wanted;
  const there = new Date(Date.parse(lastDay) + daysLater * dayMs).toISOString().slice(0, 10);
  if (isChosen)
    throw new CliError(`The project has a shop whose last day is ${there}. Create a new project for another last day.`);
  return shopEvents(there);
}

// A UUID of version 7 begins with its time.
const untimed = (uuid: string): string => uuid.slice(14);
const msOf = (uuid: string): number => parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);

async function untilVisible(
  { storedUuids, pause }: ShopTarget,
  events: readonly ShopEvent[],
  { onProgress }: SeedOptions,
): Promise<void> {
  let [visible, idleQueries] = [-1, 0];
  while (visible < events.length) {
    const now = new Set(await storedUuids()).size;
    idleQueries = now > visible ? 0 : idleQueries + 1;
    visible = Math.max(visible, now);
    onProgress(visible, events.length, 'visible');
    if (visible >= events.length) return;
    if (idleQueries >= idleQueriesMax)
      throw new CliError(
        `Only ${visible} of ${events.length} events are visible, and for a minute there was no new one. "millrace status" shows what is not ready. The command can be run again.`,
      );
    await pause();
  }
}
