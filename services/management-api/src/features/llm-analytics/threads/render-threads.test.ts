import { afterEach, expect, test } from '@jest/globals';
import { prepareStored } from '../summaries/prepare-stored.ts';
import { packTrace } from '../traces/packed-trace.ts';
import { tracePageBytes } from '../traces/trace-page.ts';
import { createRenderThreads, type RenderThreads } from './render-threads.ts';

let threads: RenderThreads;
afterEach(() => threads.close());

const ended: string[] = [];
function start(limits: Parameters<typeof createRenderThreads>[1] = {}): RenderThreads {
  threads = createRenderThreads((reason) => ended.push(reason), limits);
  return threads;
}
const asker = { organizationId: 'acme', signal: new AbortController().signal };

const json = (text: string) => ({ bytes: new TextEncoder().encode(text), contentType: 'application/json' });
const bodyOf = (input: string) =>
  json(`{"event_type":"$ai_generation","data":{"id":"x","properties":{"$ai_input":${input}}}}`);
const lines = (bytes: number) => bodyOf(`"${'a line of text\\n'.repeat(bytes / 16)}"`);
const read = (answer: Uint8Array) => JSON.parse(Buffer.from(answer).toString()) as { text: string };

test('a thread answers as the event loop would, errors too', async () => {
  const made = start();
  expect(read(await made.text(bodyOf('"Hi"'), asker)).text).toContain('Hi');
  await expect(made.text({ ...bodyOf('"Hi"'), contentType: 'text/plain' }, asker)).rejects.toMatchObject({
    code: 'unsupported_media_type',
  });
  await expect(made.text(bodyOf('{'), asker)).rejects.toMatchObject({ code: 'parse_error' });
});

test('a thread reads requests for summaries, and gives their bytes back', async () => {
  const body = json(
    '{"mode":"detailed","summarize_type":"event","data":{"event":{"id":7}},"date_from":"-7d","date_to":null}',
  );
  const { length } = body.bytes;
  const { request, hasData, bytes } = await start().readRequest(body, asker);
  const dates = { date_from: '-7d', date_to: null };
  expect(request).toEqual({ type: 'event', id: '7', mode: 'detailed', model: null, isForced: false, dates });
  expect([hasData, bytes.length, body.bytes.length]).toEqual([true, length, 0]);
});

test('a thread prepares summaries', async () => {
  const body = json(
    '{"summarize_type":"event","data":{"event":{"id":7,"event":"$ai_generation","properties":{"$ai_input":"Hi there"}}}}',
  );
  expect(await start().prepare(body, 1000, asker)).toMatchObject({ type: 'event', summary: { title: 'Hi there' } });
});

test('a thread prepares summaries of stored traces', async () => {
  const event = { uuid: 'u', event: '$ai_span', timestamp: '2026-01-31T12:00:00.000000Z' };
  const trace = { events: [{ ...event, properties: Buffer.from('{"$ai_span_name":"Forecast"}') }], eventsOmitted: 2 };
  const key = { type: 'trace', id: 't', mode: 'minimal' } as const;
  const task = { key, packed: await packTrace(trace), textLengthMax: 1000 };
  expect(await start().reserve(asker).prepareStored(task)).toEqual(prepareStored(key, trace, 1000));
});

test('a thread makes the page of a trace as the event loop would', async () => {
  const event = { uuid: 'u', event: '$ai_span', timestamp: '2026-01-31T12:00:00.000000Z' };
  const trace = { events: [{ ...event, properties: Buffer.from('{"$ai_span_name":"é"}') }], eventsOmitted: 2 };
  const page = await start()
    .reserve(asker)
    .tracePage('t', await packTrace(trace));
  expect(Buffer.from(page).toString()).toBe(Buffer.from(tracePageBytes('t', trace)).toString());
});

test('too long ends the task alone', async () => {
  const slow = start({ threads: 1, taskMsMax: 1 });
  await expect(slow.text(lines(8_388_608), asker)).rejects.toMatchObject({ code: 'request_too_large' });
  expect(ended).toEqual(['time']);
});

test('a full queue is 503 with the seconds to wait', async () => {
  const made = start({ threads: 1, waitingMax: 1 });
  const taken = [made.text(bodyOf('"1"'), asker), made.text(bodyOf('"2"'), asker)];
  await expect(made.text(bodyOf('"3"'), asker)).rejects.toMatchObject({ status: 503, details: { retryAfterS: 1 } });
  expect(await Promise.all(taken)).toHaveLength(2);
});

test('a trace has its place, and its room, before it is read; 503 when there is none', () => {
  const made = start({ waitingMax: 3, traceBytesMax: 100, traceBytesPerOrganizationMax: 60 });
  const full = expect.objectContaining({ status: 503, details: expect.objectContaining({ retryAfterS: 1 }) });
  const [mine, other] = [made.reserve(asker), made.reserve({ ...asker, organizationId: 'other' })];
  mine.hold(30);
  mine.hold(60);
  mine.hold(10);
  expect(() => mine.hold(61)).toThrow(full);
  expect(() => other.hold(41)).toThrow(full);
  other.hold(40);
  const third = made.reserve(asker);
  expect(() => made.reserve(asker)).toThrow(full);
  mine.free();
  mine.free();
  third.hold(60);
  expect(() => third.hold(61)).toThrow(full);
  made.reserve(asker).free();
});

test.each([
  ['objects of a key of their own', (at: number) => `{"k${at}":1}`, 1_300_000],
  ['empty objects', () => '{}', 1_000_000],
  ['empty lists', () => '[]', 1_900_000],
  ['numbers', (at: number) => String(at), 2_000_000],
])(
  'as many %s as a body may have do not end the process',
  async (_name, item, length) => {
    const items = Array.from({ length }, (_, at) => item(at)).join(',');
    expect(read(await start({ threads: 1 }).text(bodyOf(`[${items}]`), asker)).text).not.toBe('');
  },
  60_000,
);

test('more values than that are refused before they are parsed', async () => {
  const body = bodyOf(`[${'[],'.repeat(2_100_000)}1]`);
  await expect(start({ threads: 1 }).text(body, asker)).rejects.toMatchObject({
    code: 'request_too_large',
    message: expect.stringContaining('too many values'),
  });
});

test('the event loop has little to do while eight texts of 8 MiB are made', async () => {
  const made = start();
  await Promise.all([made.text(bodyOf('"1"'), asker), made.text(bodyOf('"2"'), asker)]);
  const shares: number[] = [];
  for (let round = 0; round < 3; round++) {
    const bodies = Array.from({ length: 8 }, () => lines(8_388_608));
    const [all, loop] = [process.cpuUsage(), process.threadCpuUsage()];
    const answers = await Promise.all(bodies.map((body) => made.text(body, asker)));
    expect(answers).toHaveLength(8);
    // Shares of CPU, not of time: other processes of the machine change nothing in them.
    shares.push(cpuOf(process.threadCpuUsage(loop)) / cpuOf(process.cpuUsage(all)));
  }
  // The least: garbage of suites that ran before in this process is collected by its loop too.
  expect(Math.min(...shares)).toBeLessThan(0.1);
}, 60_000);

const cpuOf = ({ user, system }: NodeJS.CpuUsage): number => user + system;
