import { Readable } from 'node:stream';
import { expect, jest, test } from '@jest/globals';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { TemplateForm } from '../../../queries/result/template-form.ts';
import type { Context } from '../context.ts';
import { readRequest } from './read-request.ts';
import { readSummaryRequest } from './summary-request.ts';
import { eventOf } from './testing/summary-data.ts';

const auth = { project: { id: 7, organizationId: 'acme', timezone: 'UTC' }, caller: {} } as ProjectAccess;
const { signal } = new AbortController();

/** An engine that streams one event with these properties, in the form that it is asked for. */
function streamOf(properties: string) {
  return ({ form }: { form: TemplateForm }, read: (bytes: AsyncIterable<Buffer>) => unknown): unknown => {
    const head = `u\t$ai_span\t2026-01-31T12:00:00.000000Z\t${Buffer.byteLength(properties)}\n`;
    const end = `${form.endMark}1,"statistics":{"elapsed":0.5,"rows_read":9,"bytes_read":72}}`;
    return read(Readable.from([Buffer.from(head + properties + end)]));
  };
}

/** Reads a body, with an engine whose one trace has this text; threads tell that they were asked. */
async function read(body: object, stored = '{}') {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const asked: string[] = [];
  const ofThread = { isOfThread: true };
  const stream = jest.fn(streamOf(stored));
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
      reserve: () => ({
        hold: () => asked.push('hold'),
        prepareStored: () => (asked.push('prepareStored'), Promise.resolve(ofThread)),
        free: () => asked.push('free'),
      }),
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
  expect([asked, prepared]).toEqual([['hold', 'prepareStored', 'free'], ofThread]);
});
