import { expect, test } from '@jest/globals';
import { renderEvent } from '../render-event.ts';
import { renderTrace } from '../render-trace.ts';
import { KeptLines } from './kept-lines.ts';

const generation = {
  event: '$ai_generation',
  id: 'g',
  properties: {
    $ai_tools: [{ name: 'search' }],
    $ai_input: [
      { role: 'user', content: 'Hi\nyou' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a\nb' },
          { type: 'tool_use', name: 'look', input: { q: 1 } },
        ],
      },
    ],
    $ai_output_choices: [{ role: 'assistant', content: '', tool_calls: [{ name: 'search', args: { q: 2 } }] }],
    $ai_error: 'boom',
  },
};
const plain = { includeMarkers: false, truncated: false, includeLineNumbers: true };

/** The lines of the text that marks of this kind are about, each with the name of its mark. */
function marked(result: ReturnType<typeof renderEvent>, kind: string): [name: string, lines: string[]][] {
  const lines = result.text.split('\n').map((line) => line.replace(/^L\d+: /, ''));
  return result.marks
    .filter((mark) => mark.kind === kind)
    .map(({ name, firstLine, lastLine }) => [name, lines.slice(firstLine - 1, lastLine)]);
}

test('marks say where each part of an event stands', () => {
  const result = renderEvent(generation, plain);
  expect(marked(result, 'tools')).toEqual([['', ['AVAILABLE TOOLS: 1', '', '  search()']]]);
  expect(marked(result, 'content')).toEqual([
    ['', ['Hi', 'you']],
    ['', ['a', 'b', '', 'look(q=1)']],
  ]);
  expect(marked(result, 'call')).toEqual([
    ['look', ['look(q=1)']],
    ['search', ['  - search(q=2)']],
  ]);
  expect(marked(result, 'error')).toEqual([['', ['ERROR:', '', 'boom']]]);
  expect(marked(result, 'message').map(([name, [heading]]) => [name, heading])).toEqual([
    ['user', '[1] USER'],
    ['assistant', '[2] ASSISTANT'],
    ['assistant', '[1] ASSISTANT'],
  ]);
  expect(marked(result, 'input')[0]?.[1][0]).toBe('INPUT:');
  expect(marked(result, 'output')[0]?.[1][0]).toBe('OUTPUT:');
});

test('marks of a tree name the event', () => {
  const span = { id: 's', event: '$ai_span', properties: { $ai_span_name: 'agent', $ai_input_state: 'in' } };
  const result = renderTrace({}, [{ event: span, children: [{ event: generation }] }, { event: { id: 7 } }], plain);
  expect(marked(result, 'node').map(([name, [line]]) => [name, line])).toEqual([
    ['$ai_span', '├─ [+] [SPAN] agent'],
    ['$ai_generation', '│  └─ [+] [GEN] generation (ERROR)'],
    ['unknown', '└─ [EVENT] unknown'],
  ]);
  expect(result.marks.filter(({ kind }) => kind === 'call').map(({ node }) => node)).toEqual(['g', 'g']);
  expect(result.marks.filter(({ kind }) => kind === 'node').map(({ nodeIndex }) => nodeIndex)).toEqual([0, 1, 2]);
  expect(marked(result, 'call')).toEqual([
    ['look', ['│         look(q=1)']],
    ['search', ['│           - search(q=2)']],
  ]);
});

test('a truncated content is found at its first line', () => {
  const content = [
    { type: 'text', text: 'x\n'.repeat(20) },
    { type: 'tool_use', name: 'look', input: {} },
  ];
  const event = { event: '$ai_generation', properties: { $ai_input: [{ role: 'user', content }] } };
  const result = renderEvent(event, { truncateBuffer: 4 });
  expect(result.marks.find(({ kind }) => kind === 'call')?.firstLine).toBe(7);
});

test('marks of a sampled text are about lines that are left, by their numbers', () => {
  const messages = Array.from({ length: 200 }, (_, index) => ({ role: 'user', content: `message ${index}` }));
  const event = { event: '$ai_generation', properties: { $ai_input: messages } };
  const { text, marks, truncated } = renderEvent(event, { ...plain, maxLength: 6000 });
  const left = new Set(text.split('\n').map((line) => Number(/^L(\d+): /.exec(line)?.[1])));
  expect(truncated).toBe(true);
  expect(marks.length).toBeGreaterThan(20);
  expect(marks.filter(({ firstLine, lastLine }) => !left.has(firstLine) || !left.has(lastLine))).toEqual([]);
});

test.each([
  [1, 1],
  [10, 3],
  [95, 15],
  [96, 95],
  [1000, 7],
])('of %d lines behind the header %d are left: the same by looking at each', (bodyCount, taken) => {
  const kept = new KeptLines(bodyCount, taken);
  const numbers = [1, 2, 3, 4, 5, ...kept.bodyIndexes().map((index) => index + 1)];
  for (let firstLine = 1; firstLine <= bodyCount + 5; firstLine++)
    for (const lastLine of [firstLine, firstLine + 3, bodyCount + 5]) {
      const inside = numbers.filter((number) => number >= firstLine && number <= lastLine);
      const expected = inside.length === 0 ? null : { firstLine: inside[0], lastLine: inside.at(-1) };
      expect(kept.within(firstLine, lastLine)).toEqual(expected);
    }
});
