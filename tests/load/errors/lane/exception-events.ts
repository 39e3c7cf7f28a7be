import { randomUUID } from 'node:crypto';
import { createHttpClient } from '../../http-client.ts';
import type { SystemUnderTest } from '../../system-under-test.ts';
import type { GeneratedBundle } from '../generated-bundle.ts';

type Place = GeneratedBundle['places'][number];

/** An exception to be sent: its frames are of one chunk. */
export interface ExceptionEvent {
  uuid: string;
  chunkId: string;
  places: readonly Place[];
}

/** Frames of a stack. */
export const framesOfStack = 20;

/** Stacks of each chunk. */
export const stacksOfChunk = 17;

/** Exceptions that take chunks and stacks in turn: of each chunk there are so many stacks, which share some of their frames. */
export function exceptionsOf(count: number, chunks: readonly string[], places: readonly Place[]): ExceptionEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const chunkId = chunks[index % chunks.length] ?? '';
    const first = (Math.floor(index / chunks.length) % stacksOfChunk) * 5;
    return { uuid: randomUUID(), chunkId, places: places.slice(first, first + framesOfStack) };
  });
}

/** Sends exceptions in requests of so many, some requests at once. Answers when each was accepted, by its uuid, in milliseconds. */
export async function sendExceptions(
  { local }: SystemUnderTest,
  events: readonly ExceptionEvent[],
  { ofRequest = 1, atOnce = 1 } = {},
): Promise<Map<string, number>> {
  const http = createHttpClient(local.captureUrl);
  const accepted = new Map<string, number>();
  const requests = Array.from({ length: Math.ceil(events.length / ofRequest) }, (_, index) =>
    events.slice(index * ofRequest, (index + 1) * ofRequest),
  ).values();
  const sendNext = async (): Promise<void> => {
    for (const some of requests) {
      const body = JSON.stringify({ api_key: local.projectToken, batch: some.map(eventOf) });
      await http.send({ method: 'POST', path: '/batch/', headers: { 'content-type': 'application/json' }, body });
      for (const { uuid } of some) accepted.set(uuid, performance.now());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  http.close();
  return accepted;
}

/** As posthog-js sends it: an anonymous visitor, some 4 kB. */
function eventOf({ uuid, chunkId, places }: ExceptionEvent): object {
  const frames = places.map(({ line, column }) => ({
    platform: 'web:javascript',
    filename: `https://shop.example/assets/${chunkId}.js`,
    function: 'f',
    in_app: true,
    lineno: line,
    colno: column,
    chunk_id: chunkId,
  }));
  const exception = {
    type: 'TypeError',
    value: `Cannot read properties of undefined (reading 'total') in order ${uuid.slice(0, 8)}`,
    mechanism: { handled: false, synthetic: false, type: 'generic' },
    stacktrace: { type: 'raw', frames },
  };
  const page = '/checkout/step-2';
  const properties = {
    $lib: 'web',
    $lib_version: '1.449.2',
    $os: 'Windows',
    $browser: 'Chrome',
    $browser_version: 142,
    $device_type: 'Desktop',
    $current_url: `https://shop.example${page}?utm_source=newsletter`,
    $host: 'shop.example',
    $pathname: page,
    $screen_height: 1080,
    $screen_width: 1920,
    $timezone: 'Europe/Zürich',
    $process_person_profile: false,
    $exception_level: 'error',
    $exception_list: [exception],
  };
  const timestamp = new Date().toISOString();
  return { uuid, event: '$exception', distinct_id: `visitor-${uuid.slice(0, 4)}`, timestamp, properties };
}
