import { expect, test } from '@jest/globals';
import { renderEvent } from '../render-event.ts';
import { renderTrace } from '../render-trace.ts';
import { RULE, SEP } from './testing/golden.ts';

const output = (text: string): Record<string, unknown> => ({
  event: '$ai_generation',
  properties: { $ai_output: text },
});
const whole = { truncated: false, includeLineNumbers: true };
/** A text of 100 lines: 4 of the heading, 96 of 40 characters. */
const hundred = output(Array.from({ length: 96 }, (_, index) => `${index}`.padEnd(40, '.')).join('\n'));

test('contract/llm-surveys 5.9: numbers are as wide as the highest', () => {
  const { text, lineCount } = renderEvent(hundred, whole);
  const lines = text.split('\n');
  expect(lineCount).toBe(100);
  expect(lines[0]).toBe(`L001: ${SEP}`);
  expect(lines[99]).toBe(`L100: ${'95'.padEnd(40, '.')}`);
  expect(renderEvent(output('a\nb\nc\nd\ne'), whole).text.split('\n')[8]).toBe('L9: e');
});

test('contract/llm-surveys 5.9: a text that is too long is sampled at equal distances', () => {
  // Header of 86 + 1 + 6 + 1 + 13 + 1 + 6 + 1 + 46 = 161 characters, then 95 lines of 46: 161 + 95 * 47 = 4626 in all.
  const { text, charCount, truncated } = renderEvent(hundred, { ...whole, maxLength: 1000 });
  const note = '[SAMPLED VIEW: Showing ~16% of 100 lines. Gaps in line numbers indicate omitted content.]';
  // Room 1000 - (161 + 1) - (90 + 1) = 747, by lines of 47: 15.89. So 15 of 95 lines, every 6.33th; 15 / 95 is 15.8 %.
  const taken = [0, 6, 12, 19, 25, 31, 38, 44, 50, 57, 63, 69, 76, 82, 88];
  expect(text.split('\n')).toEqual([
    `L001: ${SEP}`,
    'L002: ',
    note,
    'L003: OUTPUT:',
    'L004: ',
    `L005: ${'0'.padEnd(40, '.')}`,
    ...taken.map((index) => `L${String(index + 6).padStart(3, '0')}: ${String(index + 1).padEnd(40, '.')}`),
  ]);
  expect(charCount).toBe(text.length);
  expect(charCount).toBeLessThanOrEqual(1000);
  expect(truncated).toBe(true);
});

test('contract/llm-surveys 5.9: thousands of lines have commas in the note', () => {
  const { text } = renderEvent(output('x\n'.repeat(2995)), { truncated: false, maxLength: 2000 });
  // 4 + 2,996 lines of the text.
  expect(text).toContain('% of 3,000 lines. ');
});

test.each([
  ['as long as allowed, nothing is cut', 95, 95, false],
  ['five lines are cut', 90, 90, true],
  ['one character', 1, 1, true],
])('contract/llm-surveys 5.9: %s', (_, maxLength, charCount, truncated) => {
  // The separator, 'OUTPUT:' and 'abcd', two empty lines, four line breaks.
  const all = [SEP, '', 'OUTPUT:', '', 'abcd'].join('\n');
  const result = renderEvent(output('abcd'), { maxLength });
  expect({ charCount: result.charCount, truncated: result.truncated }).toEqual({ charCount, truncated });
  expect(result.text).toBe(all.slice(0, maxLength));
});

test('contract/llm-surveys 5.9: without room for the note the text is cut', () => {
  const all = renderEvent(hundred, whole).text;
  expect(renderEvent(hundred, { ...whole, maxLength: 200 }).text).toBe(all.slice(0, 200));
});

test('contract/llm-surveys 5.9: a header of nearly the length leaves no room', () => {
  const event = output(`${'x'.repeat(1000)}\na\nb`);
  const all = renderEvent(event, { truncated: false }).text;
  const { text, truncated } = renderEvent(event, { truncated: false, maxLength: all.length - 1 });
  expect(truncated).toBe(true);
  expect(text).toBe(all.slice(0, -1));
});

test('contract/llm-surveys 5.9: a sample that is too long is taken again, with a tenth to spare', () => {
  // Every second line is long, and ten lines at equal distances of twenty are these ones.
  const body = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? `${index}`.padEnd(99, 'y') : 'z'));
  // Header 80 + 0 + 7 + 0 + 1 and four line breaks: 92. The note has 89. Room 702 - 93 - 90 = 519, by 51 for a line: 10 lines.
  // They make 1,181 characters; 10 * 702 / 1181 * 0.9 = 5.35.
  const { text } = renderEvent(output(['h', ...body].join('\n')), { truncated: false, maxLength: 702 });
  const note = '[SAMPLED VIEW: Showing ~25% of 25 lines. Gaps in line numbers indicate omitted content.]';
  expect(text.split('\n')).toEqual([
    SEP,
    '',
    note,
    'OUTPUT:',
    '',
    'h',
    ...[0, 4, 8, 12, 16].map((index) => body[index]),
  ]);
});

test('contract/llm-surveys 5.9: lines longer than the average are taken less often, and cut at last', () => {
  const lines = Array.from({ length: 50 }, (_, index) => (index === 1 ? 'y'.repeat(5000) : 'z'));
  const { text, charCount } = renderEvent(output(lines.join('\n')), { truncated: false, maxLength: 400 });
  expect(charCount).toBe(400);
  expect(text.split('\n')[2]).toMatch(/^\[SAMPLED VIEW: Showing ~2% of 54 lines\./);
});

test('contract/llm-surveys 5.9: 0 is no limit', () => {
  const text = 'x'.repeat(2_100_000);
  expect(renderEvent(output(text), { truncated: false, maxLength: 0 }).charCount).toBe(91 + 2_100_000);
  expect(renderEvent(output(text), { truncated: false }).charCount).toBe(2_000_000);
});

test('contract/llm-surveys 5.9: code points are counted', () => {
  const { charCount, text } = renderEvent(output('😀'.repeat(10)), { maxLength: 95 });
  expect(charCount).toBe(95);
  expect(text.endsWith('😀'.repeat(4))).toBe(true);
});

test('5.3 leaves metadata.truncated false', () => {
  expect(renderEvent(output('x'.repeat(5000))).truncated).toBe(false);
});

test('contract/decisions 58: omitted events are the last line of the tree', () => {
  const node = { event: { id: 'a', event: '$ai_span', properties: {} } };
  const { text } = renderTrace({}, [node], { collapsed: true }, 12_345);
  const lines = ['TRACE', RULE, '', SEP, '', 'TRACE HIERARCHY:', '', '└─ [SPAN] span', '[12345 events not shown]'];
  expect(text).toBe(lines.join('\n'));
});
