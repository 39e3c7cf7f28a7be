import { describe, expect, test } from '@jest/globals';
import { isPlainFlow } from '../flow-grammar.ts';
import type { Summary } from '../summary.ts';
import { readSummary } from './read-summary.ts';
import { summarySystemPrompt, summaryUserPrompt } from './summary-prompt.ts';
import { summaryModelOf } from './summary-model.ts';

const builtin: Summary = {
  title: 'Built in',
  flow_diagram: 'flowchart TD\n  n0["x"]',
  summary_bullets: [],
  interesting_notes: [],
};
const bullet = (line_refs: string, text = 'It rains.') => ({ text, line_refs });
const three = [bullet('[L1]'), bullet('[L2]'), bullet('[L3]')];
const read = (given: Partial<Summary>, mode: 'minimal' | 'detailed' = 'minimal') =>
  readSummary(
    {
      title: 'Rain',
      flow_diagram: 'flowchart TD\n  a["x"] --> b["y"]',
      summary_bullets: three,
      interesting_notes: [],
      ...given,
    },
    { hasLine: (line) => line >= 1 && line <= 100, mode, builtin },
  );

test.each([
  ['[L45]', '[L45]'],
  ['L45', '[L45]'],
  ['[L045-L052]', '[L45-52]'],
  ['[L1], [L5-6] and L101', '[L1] [L5-6]'],
  ['[L1–L3]', '[L1-3]'],
  ['[L1 — 3]', '[L1-3]'],
  ['[L1, L3]', '[L1] [L3]'],
  ['[L1, 5-6; 9]', '[L1] [L5-6] [L9]'],
  ['[l7]', '[L7]'],
])('the reference %j of a model is %j', (given, expected) =>
  expect(read({ summary_bullets: [...three, bullet(given)] })?.summary_bullets[3]?.line_refs).toBe(expected),
);

test.each(['', 'L0', '[L101]', '[L9-3]', 'lines 4 to 5', '[L99999999999]'])(
  '%j refers to nothing: its bullet is dropped, its note stays',
  (given) => {
    expect(read({ summary_bullets: [...three, bullet(given)] })?.summary_bullets).toHaveLength(3);
    expect(read({ summary_bullets: [...three.slice(1), bullet(given)] })).toBeNull();
    expect(read({ interesting_notes: [bullet(given)] })?.interesting_notes).toEqual([bullet('')]);
  },
);

test.each([
  '[L1, L2]',
  '[L1–L3]',
  '[L1—3]',
  '[L1 - L3]',
  '[L1, 3-5; L7 and L9]',
  '[ L1 to L3 ]',
  '[l1]',
  '[lines L1-L3]',
  '[L1][L2]',
  '[L1], [L2]',
])('%s is taken out of a sentence and a title whole', (refs) => {
  const result = read({
    title: `Rain ${refs}`,
    summary_bullets: [...three.slice(1), bullet('[L1]', `It rains ${refs}.`)],
    interesting_notes: [bullet('', `${refs} Snow`)],
  });
  expect(result?.title).toBe('Rain');
  expect(result?.summary_bullets[2]?.text).toBe('It rains.');
  expect(result?.interesting_notes[0]?.text).toBe('Snow');
});

test.each(['It is in the L2 cache [of level L1].', 'Rows [1, 2] of [L2 norms] (L2).'])('%s stays', (text) => {
  const result = read({ summary_bullets: [...three.slice(1), bullet('[L1]', text)] });
  expect(result?.summary_bullets[2]?.text).toBe(text.replace('[L2', '(L2'));
});

test('references in sentences, long titles, and more than was asked for are cut', () => {
  const result = read({
    title: 'one two three four five six seven eight nine ten eleven twelve',
    summary_bullets: Array.from({ length: 9 }, () => bullet('[L1]', 'It rains [L7]\n<<<x>>> [ L9 of it ].')),
    interesting_notes: three,
  });
  expect(result?.title).toBe('one two three four five six seven eight nine ten');
  expect(result?.summary_bullets).toHaveLength(5);
  expect(result?.summary_bullets[0]?.text).toBe('It rains ‹‹<x››> ( L9 of it ].');
  expect(result?.interesting_notes).toHaveLength(2);
  expect(read({ title: ' ' })?.title).toBe('Built in');
});

describe('a diagram', () => {
  test.each(['flowchart TD\n  n0["Ask"] --> n1["Answer"]', 'flowchart LR\nA["x"]\nA --> B{"y?"}\nB -->|"no"| C("z")'])(
    '%j is kept',
    (diagram) => expect(read({ flow_diagram: diagram })?.flow_diagram).toBe(diagram),
  );

  test('is taken out of Markdown', () =>
    expect(read({ flow_diagram: '```mermaid\nflowchart TD\n\n  n0["Ask"]\n```\n' })?.flow_diagram).toBe(
      'flowchart TD\n  n0["Ask"]',
    ));

  test.each(
    [
      '',
      'A -> B',
      'flowchart TD',
      'flowchart TD\n  n0["<img src=x onerror=alert(1)>"]',
      'flowchart TD\n  n0["a"]\n  click n0 "javascript:alert(1)"',
      'flowchart TD\n  n0["a"]:::evil',
      'flowchart TD\n  n0["#quot;"]',
      '%%{init: {"securityLevel": "loose"}}%%\nflowchart TD\n  n0["a"]',
      'flowchart TD\n  n0["`a`"]',
      `flowchart TD\n${'  n0["a"]\n'.repeat(61)}`,
      `flowchart TD\n  n0["${'a'.repeat(5000)}"]`,
    ].map((diagram) => [diagram.slice(0, 60), diagram]),
  )('%j is replaced', (_, diagram) => {
    expect(isPlainFlow(diagram)).toBe(false);
    expect(read({ flow_diagram: diagram })?.flow_diagram).toBe(builtin.flow_diagram);
  });
});

test('no row of backticks of the text closes its fence', () => {
  const lines = summaryUserPrompt('L1: ```\nL2: `````').split('\n');
  expect(lines).toEqual(['``````text', 'L1: ```', 'L2: `````', '``````']);
});

test('the sizes that a model is asked for go with the mode', () => {
  expect(summarySystemPrompt('trace', 'minimal')).toMatch(/3 to 7 steps[^]*3 to 5 objects[^]*0 to 2 objects/);
  expect(summarySystemPrompt('event', 'detailed')).toMatch(/5 to 10 steps[^]*5 to 10 objects/);
});

test.each([
  [null, 0, 2_000_000],
  ['gpt-4.1-mini', 0, 1_027_576],
  ['llama', 0, 108_000],
  ['llama', 40_000, 20_000],
])('a text for %j with %j tokens has %d characters at most', (model, tokens, expected) =>
  expect(summaryModelOf({ baseUrl: 'http://model', model, contextTokens: tokens }).textLengthMax).toBe(expected),
);
