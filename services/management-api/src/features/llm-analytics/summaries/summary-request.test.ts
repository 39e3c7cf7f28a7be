import { expect, test } from '@jest/globals';
import { readSummaryRequest } from './summary-request.ts';

const read = (body: object) => readSummaryRequest({ bytes: Buffer.from(JSON.stringify(body)), contentType: undefined });

/** The bodies that name this id. */
const formsOf = (id: unknown): [name: string, body: object][] => [
  ['trace_id', { trace_id: id }],
  ['generation_id', { generation_id: id }],
  ['$ai_trace_id', { summarize_type: 'trace', data: { trace: { properties: { $ai_trace_id: id } }, hierarchy: [] } }],
  ['trace.id', { summarize_type: 'trace', data: { trace: { id }, hierarchy: [] } }],
  ['event.id', { summarize_type: 'event', data: { event: { id } } }],
];

// contract/decisions 71
test.each<[unknown, string]>([
  ['x', 'x'],
  [' x\n', ' x\n'],
  [7, '7'],
  [0, '0'],
  [-0.5, '-0.5'],
  [1e21, '1e+21'],
  ['x'.repeat(255), 'x'.repeat(255)],
])('%j is the id %j, wherever it stands', (given, id) => {
  for (const [form, body] of formsOf(given)) expect([form, read(body).id]).toEqual([form, id]);
});

test.each([' ', '', '\u00a0', false, true, [], {}, 'x'.repeat(256)])('%j is no id, wherever it stands', (given) => {
  for (const [form, body] of formsOf(given))
    expect(() => [form, read(body).id]).toThrow(expect.objectContaining({ status: 400 }));
});

test('a trace whose properties name no id has its own', () => {
  const trace = { id: 7, properties: { $ai_trace_id: ' ' } };
  expect(read({ summarize_type: 'trace', data: { trace, hierarchy: [] } }).id).toBe('7');
});
