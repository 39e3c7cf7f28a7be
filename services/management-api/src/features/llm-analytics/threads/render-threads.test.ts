import { afterEach, expect, test } from '@jest/globals';
import { createRenderThreads, type RenderThreads } from './render-threads.ts';

let threads: RenderThreads | undefined;
afterEach(() => threads?.close());

const ended: string[] = [];
const start = (limits: Parameters<typeof createRenderThreads>[1] = {}): RenderThreads =>
  (threads = createRenderThreads((reason) => ended.push(reason), limits));

const answering = (limits: Parameters<typeof createRenderThreads>[1] = {}): RenderThreads['answer'] => {
  const started = start(limits);
  return (...given) => started.answer(...given);
};

const bodyOf = (inner: string) => ({
  bytes: new TextEncoder().encode(
    `{"event_type":"$ai_generation","data":{"id":"x","properties":{"$ai_input":${inner}}}}`,
  ),
  contentType: 'application/json',
});
const lines = (bytes: number) => bodyOf(`"${'a line of text\\n'.repeat(bytes / 16)}"`);
const read = (answer: Uint8Array) => JSON.parse(Buffer.from(answer).toString()) as { text: string };

test('a thread answers as the event loop would, errors too', async () => {
  const answer = answering();
  expect(read(await answer(bodyOf('"Hi"'), 'acme')).text).toContain('Hi');
  await expect(answer({ ...bodyOf('"Hi"'), contentType: 'text/plain' }, 'acme')).rejects.toMatchObject({
    code: 'unsupported_media_type',
  });
  await expect(answer(bodyOf('{'), 'acme')).rejects.toMatchObject({ code: 'parse_error' });
});

test('a thread prepares summaries too', async () => {
  const body = {
    bytes: new TextEncoder().encode(
      '{"summarize_type":"event","data":{"event":{"id":7,"event":"$ai_generation","properties":{"$ai_input":"Hi there"}}}}',
    ),
    contentType: 'application/json',
  };
  const answer = await answering()(body, 'acme', undefined, { kind: 'summary', textLengthMax: 1000 });
  expect(JSON.parse(Buffer.from(answer).toString())).toEqual({
    request: { type: 'event', id: '7', mode: 'minimal', model: null, isForced: false },
    prepared: expect.objectContaining({ summary: expect.objectContaining({ title: 'Hi there' }) }),
  });
});

test('a full queue is 503 with the seconds to wait, for one organization before all others', async () => {
  const answer = answering({ threads: 1, waitingMax: 3, waitingPerOrganizationMax: 2 });
  const full = { code: 'unavailable', status: 503, details: { retryAfterS: 1 } };
  const taken = [answer(bodyOf('"1"'), 'a'), answer(bodyOf('"2"'), 'a'), answer(bodyOf('"3"'), 'a')];
  await expect(answer(bodyOf('"4"'), 'a')).rejects.toMatchObject(full);
  taken.push(answer(bodyOf('"5"'), 'b'));
  await expect(answer(bodyOf('"6"'), 'b')).rejects.toMatchObject(full);
  expect(await Promise.all(taken)).toHaveLength(4);
});

test('a request whose client has gone is not rendered', async () => {
  const answer = answering({ threads: 1 });
  const first = answer(bodyOf('"1"'), 'a');
  await expect(answer(bodyOf('"2"'), 'a', AbortSignal.abort())).rejects.toMatchObject({ code: 'unavailable' });
  expect(await first).toBeInstanceOf(Uint8Array);
});

test('too long ends the task alone', async () => {
  const slow = start({ threads: 1, taskMsMax: 1 });
  await expect(slow.answer(bodyOf('"1"'), 'a')).rejects.toMatchObject({ code: 'request_too_large' });
  expect(ended).toEqual(['time']);
});

test.each([
  ['objects of a key of their own', (at: number) => `{"k${at}":1}`, 1_300_000],
  ['empty objects', () => '{}', 1_000_000],
  ['empty lists', () => '[]', 1_900_000],
  ['numbers', (at: number) => String(at), 2_000_000],
])(
  'as many %s as a body may have do not end the process',
  async (_name, item, length) => {
    const answer = answering({ threads: 1 });
    const items = Array.from({ length }, (_, at) => item(at)).join(',');
    expect(read(await answer(bodyOf(`[${items}]`), 'a')).text).not.toBe('');
  },
  60_000,
);

test('more values than that are refused before they are parsed', async () => {
  const answer = answering({ threads: 1 });
  await expect(answer(bodyOf(`[${'[],'.repeat(2_100_000)}1]`), 'a')).rejects.toMatchObject({
    code: 'request_too_large',
    message: expect.stringContaining('too many values'),
  });
});

test('the event loop is at rest while eight texts of 8 MiB are made', async () => {
  const answer = answering();
  await Promise.all([answer(bodyOf('"1"'), 'a'), answer(bodyOf('"2"'), 'a')]);
  const bodies = Array.from({ length: 8 }, () => lines(8_388_608));
  const before = performance.eventLoopUtilization();
  const answers = await Promise.all(bodies.map((body) => answer(body, 'a')));
  expect(answers).toHaveLength(8);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.2);
}, 60_000);
