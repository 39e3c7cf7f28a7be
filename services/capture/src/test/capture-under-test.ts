import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { decodeBundle, type BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import type { CapturedWarning } from '@millrace/contracts/ingestion-warnings.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import type { EventLog } from '@millrace/event-log/event-log.ts';
import { openEventLog } from '@millrace/event-log/open-event-log.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createApp, type CaptureApp, type CaptureDeps } from '../app.ts';
import { captureSettings, type CaptureConfig } from '../config.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { projectsOfTest } from './projects-of-test.ts';

export const token = 'phc_known';

export interface CaptureUnderTest {
  app: CaptureApp;
  url: string;
  operationsUrl: string;
  dir: string;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  /** Everything that a lane holds, once it holds at least `count` entries. */
  entries(lane: Lane, count: number): Promise<BundleEntry[]>;
  events(count: number, lane?: Lane): Promise<CapturedEvent[]>;
  warnings(count: number): Promise<CapturedWarning[]>;
  /** Stops the app and removes the folder. */
  close(): Promise<void>;
}

/**
 * The real service on a free port with a real log in a folder of its own; only the projects come from the test, and the log's
 * deadline, unless the test brings its own log: a disk that stalls for a second is no promise broken.
 */
export async function startCapture(
  changes: Partial<CaptureConfig> = {},
  deps: CaptureDeps = {},
): Promise<CaptureUnderTest> {
  const dir = await mkdtemp(join(tmpdir(), 'millrace-capture-'));
  const environment = {
    CAPTURE_PORT: '0',
    OPERATIONS_PORT: '0',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    EVENT_LOG_DIR: dir,
    CAPTURE_STOP_DELAY_MS: '0',
  };
  const config: CaptureConfig = { ...readConfig(captureSettings, environment), ...changes };
  const app = createApp(config, {
    logger: createLogger('capture', 'silent'),
    projects: projectsOfTest((tokens) =>
      Promise.resolve(new Map(tokens.filter((one) => one.startsWith(token)).map((one) => [one, 7]))),
    ),
    ...(deps.openLog === undefined ? { bundler: { deadlineMs: 20_000 } } : {}),
    ...deps,
  });
  await app.start();
  const url = app.url();

  const entries = (lane: Lane, count: number): Promise<BundleEntry[]> => readLane(dir, lane, count);
  return {
    app,
    url,
    operationsUrl: app.operationsUrl(),
    dir,
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
        headers,
        redirect: 'manual',
      }),
    entries,
    events: async (count, lane = 'main') =>
      (await entries(lane, count)).map(({ head }) => JSON.parse(head.toString()) as CapturedEvent),
    warnings: async (count) =>
      (await entries('warnings', count)).map(({ head }) => JSON.parse(head.toString()) as CapturedWarning),
    close: async () => {
      await app.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The last event of a distinct id in a lane, with its properties, as soon as it is there. */
export async function eventOf(
  capture: CaptureUnderTest,
  distinctId: string,
  lane: Lane = 'main',
): Promise<CapturedEvent & { properties: unknown; propertiesText: string }> {
  return eventually(async () => {
    const entries = await capture.entries(lane, 1);
    const found = entries.findLast(
      ({ head }) => (JSON.parse(head.toString()) as CapturedEvent).distinctId === distinctId,
    );
    if (found === undefined) throw new Error(`no event of ${distinctId} in ${lane}`);
    const propertiesText = found.body.toString();
    return {
      ...(JSON.parse(found.head.toString()) as CapturedEvent),
      properties: JSON.parse(propertiesText) as unknown,
      propertiesText,
    };
  });
}

/** Reads a lane from its beginning with a log of its own, as another process would. */
export async function readLane(dir: string, lane: Lane, count: number): Promise<BundleEntry[]> {
  const log: EventLog = await openEventLog({ dir, maxBytes: 1024 ** 3 });
  const found: BundleEntry[] = [];
  const subscription = await log.subscribe({
    group: `test-${randomUUID()}`,
    lanes: [lane],
    onStream: async (stream) => {
      let next = 0n;
      while (!stream.revoked.aborted) {
        for (const record of await stream.read(next, { maxBytes: 1_000_000, waitMs: 20 })) {
          found.push(...decodeBundle(record.payload));
          next = record.offset + 1n;
        }
      }
    },
  });
  const quietBy = performance.now() + 3_000;
  let before = -1;
  try {
    await eventually(() => {
      const more = found.length - before;
      before = found.length;
      if (found.length < count) throw new Error(`${lane} holds ${found.length} entries, not ${count}`);
      // Entries after large ones come later. While a sender continues, the log is never quiet.
      if (more > 0 && performance.now() < quietBy) throw new Error(`${lane} is still being read`);
    });
  } finally {
    await subscription.close();
    await log.close();
  }
  return found;
}
