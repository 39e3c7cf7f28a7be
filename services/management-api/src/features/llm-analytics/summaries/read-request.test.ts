import { expect, jest, test } from '@jest/globals';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../context.ts';
import { readRequest } from './read-request.ts';
import { readSummaryRequest } from './summary-request.ts';
import { eventOf } from './testing/summary-data.ts';

const auth = { project: { id: 7, organizationId: 'acme', timezone: 'UTC' }, caller: {} } as ProjectAccess;
const { signal } = new AbortController();

/** Reads a body, with an engine whose one trace has this text; threads tell that they were asked. */
async function read(body: object, propertiesText = '{}') {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const asked: string[] = [];
  const ofThread = { isOfThread: true };
  const event = { uuid: 'u', event: '$ai_span', timestamp: '2026-01-31T12:00:00.000000Z', propertiesText };
  const stream = jest.fn(() => Promise.resolve({ events: [event], isWhole: true }));
  const context = {
    clock: { nowMs: () => Date.parse('2026-02-01') },
    summaryModel: { name: null, textLengthMax: 1000 },
    tenantEngine: { stream },
    renderThreads: {
      readRequest(given: Parameters<typeof readSummaryRequest>[0]) {
        asked.push('readRequest');
        const { source, ...request } = readSummaryRequest(given);
        return Promise.resolve({ request, hasData: source !== null, bytes: given.bytes });
      },
      prepare: () => (asked.push('prepare'), Promise.resolve(ofThread)),
      prepareStored: () => (asked.push('prepareStored'), Promise.resolve(ofThread)),
    },
  } as unknown as Context;
  const made = await readRequest({ bytes, contentType: 'application/json' }, { context, auth, signal });
  expect(stream).not.toHaveBeenCalled();
  return { ...made, asked, prepared: await made.prepare(), ofThread };
}
const large = 'x'.repeat(300_000);
const base = { mode: 'minimal', model: null, projectId: 7 };

test('a small body is read and rendered in the event loop', async () => {
  const { key, isForced, asked, prepared } = await read(eventOf('gen_1'));
  expect([key, isForced, asked]).toEqual([{ ...base, type: 'event', id: 'gen_1' }, false, []]);
  expect(prepared).toMatchObject({ type: 'event', mode: 'minimal' });
});

test('a large one in threads, and rendered only when it is to be prepared', async () => {
  const { key, asked, prepared, ofThread } = await read(eventOf('gen_1', large));
  expect([key, asked]).toEqual([{ ...base, type: 'event', id: 'gen_1' }, ['readRequest', 'prepare']]);
  expect(prepared).toBe(ofThread);
});

test('a large one with an id is of stored events', async () => {
  const { key, asked } = await read({ trace_id: 't', unknown: large });
  expect([key, asked]).toEqual([{ ...base, type: 'trace', id: 't' }, ['readRequest']]);
});

test('small stored events are rendered in the event loop, large ones in a thread', async () => {
  expect((await read({ trace_id: 't' })).asked).toEqual([]);
  const { asked, prepared, ofThread } = await read({ trace_id: 't' }, JSON.stringify({ $ai_input_state: large }));
  expect([asked, prepared]).toEqual([['prepareStored'], ofThread]);
});
