import { randomUUID } from 'node:crypto';
import { delay } from '@millrace/runtime/clock.ts';
import type { Project } from './projects.ts';
import type { Ledger } from '../ledger/ledger.ts';

export interface LoadOptions {
  /** Clients; each sends for one distinct id of one project, one request after the other. */
  clients: number;
  /** Events a second of all clients together, while they are answered. */
  perSecond: number;
  /** Events of a request, every second request of a client; the others carry one. */
  perBatch: number;
  /** One of this many requests is sent again after its acknowledgement: at once, and once more 20 requests later. 0: none. */
  repeatEvery: number;
  /** Distinct ids are this and a number. */
  people: string;
  /** Makes events of a project, by their number. Unless given, they are ordinary ones, and two thirds of them set a property of their person. */
  makes?: (projectId: number, number: number) => { event: string; properties: Record<string, unknown> };
}

export const defaultLoad: LoadOptions = { clients: 24, perSecond: 240, perBatch: 5, repeatEvery: 0, people: 'person' };

/** Clients that send until they are stopped. */
export interface Load {
  /** Sends no more; resolves when all that was sent was answered, or has been tried for a minute. */
  stop(): Promise<void>;
}

const replyMsMax = 8_000;
const retryMs = 300;
const giveUpMs = 60_000;
const repeatAfter = 20;
/** Every third client is of people without a profile. */
const hasProfile = (client: number): boolean => client % 3 !== 2;

/**
 * Starts clients as SDKs are: what is not acknowledged is sent again with its uuid, after `Retry-After` where one is named.
 * A client's distinct id is that of a client of the other project as well.
 */
export function startLoad(
  captureUrl: () => string,
  projects: readonly Project[],
  ledger: Ledger,
  options: LoadOptions,
): Load {
  const stopping = new AbortController();
  let giveUpAtMs = Infinity;

  async function send(events: readonly Body[], project: Project): Promise<boolean> {
    const single = events.length === 1 ? events[0] : undefined;
    for (;;) {
      const body =
        single === undefined
          ? { api_key: project.token, batch: events, sent_at: new Date().toISOString() }
          : { api_key: project.token, ...single };
      const sentMs = Date.now();
      const { status, retryAfterS } = await post(
        `${captureUrl()}${single === undefined ? '/batch/' : '/i/v0/e/'}`,
        body,
      );
      const tookMs = Date.now() - sentMs;
      for (const { uuid } of events) ledger.attempt({ uuid, status, sentMs, tookMs });
      if (status === 200) return true;
      if (Date.now() > giveUpAtMs) return false;
      await delay(retryAfterS === null ? retryMs : retryAfterS * 1_000);
    }
  }

  async function runClient(client: number): Promise<void> {
    const project = projects[client % projects.length] as Project;
    const distinctId = `${options.people} ${Math.floor(client / projects.length)}`;
    const eventsPerRequest = (1 + options.perBatch) / 2;
    const paceMs = (1_000 * options.clients * eventsPerRequest) / options.perSecond;
    const recent: Body[][] = [];
    let number = 0;
    for (let request = 0; !stopping.signal.aborted; request++) {
      const sinceMs = Date.now();
      const count = request % 2 === 0 ? 1 : options.perBatch;
      const events = Array.from({ length: count }, () =>
        event(
          ledger,
          {
            projectId: project.id,
            distinctId,
            number: ++number,
            sets: options.makes === undefined && hasProfile(client),
          },
          options.makes,
        ),
      );
      if (!(await send(events, project))) return;
      if (options.repeatEvery > 0 && request % options.repeatEvery === 0) {
        await send(events, project);
        recent.push(events);
        const old = recent.length > repeatAfter / options.repeatEvery ? recent.shift() : undefined;
        if (old !== undefined) await send(old, project);
      }
      await delay(Math.max(0, paceMs - (Date.now() - sinceMs)), stopping.signal);
    }
  }

  const running = Promise.all(Array.from({ length: options.clients }, (_, client) => runClient(client)));
  // An error of the load itself is thrown at its stop.
  running.catch(() => undefined);
  return {
    async stop() {
      giveUpAtMs = Date.now() + giveUpMs;
      stopping.abort();
      await running;
    },
  };
}

interface Body {
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, unknown>;
}

type Named = Parameters<Ledger['begin']>[0];

function event(ledger: Ledger, named: Omit<Named, 'uuid'>, makes: LoadOptions['makes'] = ordinary): Body {
  const uuid = randomUUID();
  ledger.begin({ uuid, ...named });
  const { number, projectId, distinctId, sets } = named;
  const made = makes(projectId, number);
  const properties = {
    number,
    project: String(projectId),
    ...made.properties,
    ...(sets ? { $set: { number } } : { $process_person_profile: false }),
  };
  return { uuid, event: made.event, distinct_id: distinctId, timestamp: new Date().toISOString(), properties };
}

const ordinary = () => ({ event: 'told', properties: { text: 'x'.repeat(200) } });

/** The status, or what became of the connection. */
async function post(url: string, body: unknown): Promise<{ status: number | string; retryAfterS: number | null }> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(replyMsMax),
    });
    await reply.arrayBuffer();
    const retryAfter = reply.headers.get('retry-after');
    return { status: reply.status, retryAfterS: retryAfter === null ? null : Number(retryAfter) };
  } catch (error) {
    return { status: failureOf(error), retryAfterS: null };
  }
}

function failureOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name ?? String(error);
}
