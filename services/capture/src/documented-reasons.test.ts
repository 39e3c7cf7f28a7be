import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { captureReasons, type CaptureReason } from '@millrace/contracts/capture-reasons.ts';
import { warningTypes } from '@millrace/contracts/ingestion-warnings.ts';
import { quotaResources } from '@millrace/contracts/project-limits.ts';

const docs = join(import.meta.dirname, '../../../docs');
const capture = readFileSync(join(docs, 'capture.md'), 'utf8');
const control = readFileSync(join(docs, 'capture-control.md'), 'utf8');
const contract = readFileSync(join(docs, 'contract/capture.md'), 'utf8');

const reasons = Object.entries<CaptureReason>(captureReasons);
const effects = new Map(reasons.map(([name, { effect }]) => [name, effect]));

/** The text below a heading, to the next heading of that level or above. */
function section(text: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const [, rest = ''] = text.split(`\n${heading}\n`);
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
}

const namesIn = (text: string): string[] => [...text.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);

/** Cells of the rows of all tables in a text, without the lines below their heads. */
const rowsIn = (text: string): string[][] =>
  [...text.matchAll(/^\| (.+) \|$/gm)]
    .map(([, row = '']) => row.split(/(?<!\\) \| /))
    .filter(([first = '']) => !/^-+$/.test(first));

const effectOf = (happens: string): CaptureReason['effect'] =>
  happens.startsWith('dropped') ? 'dropped' : happens === 'only a warning' ? 'stored' : 'changed';

describe('docs/capture.md', () => {
  const table = rowsIn(section(capture, '## What drops or changes an event')).slice(1);

  test('documents for each reason what happens to the event', () => {
    const listed = table.flatMap(([, happens = '', codes = '']) =>
      namesIn(codes).map((name) => [name, happens.includes('by the consumer') ? 'by the consumer' : effectOf(happens)]),
    );
    expect(listed.length).toBeGreaterThan(15);
    expect(listed).toEqual(listed.map(([name = '']) => [name, effects.get(name) ?? 'by the consumer']));
    for (const [name = ''] of listed) expect(effects.has(name) || Object.hasOwn(warningTypes, name)).toBe(true);
  });

  test('or the document about control names every reason that is reported', () => {
    const named = new Set([...namesIn(capture), ...namesIn(control)]);
    // The text names one quota for all.
    const quotas = new Set<string>(quotaResources.map((resource) => `${resource}_over_quota`));
    const missing = reasons
      .filter(([, { warning, sentence }]) => warning !== undefined || sentence !== undefined)
      .map(([name]) => (quotas.has(name) ? 'events_over_quota' : name))
      .filter((name) => !named.has(name));
    expect(missing).toEqual([]);
  });

  test('names the codes that V1 has of its own', () => {
    const named = namesIn(section(capture, '## V1: a result for each event'));
    expect(named).toEqual(expect.arrayContaining(reasons.flatMap(([, { v1Code }]) => v1Code ?? [])));
  });
});

test('the contract has the severity of every warning, and no other warnings (contract/capture 4.7)', () => {
  const rows = rowsIn(section(contract, '### 4.7 Ingestion warnings'));
  const types = rows.slice(rows.findIndex(([first]) => first === 'Type') + 1);
  const listed = types.flatMap(([names = '', severity = '']) =>
    namesIn(names).map((name) => [name, /^\w+/.exec(severity)?.[0]]),
  );
  const declared = Object.entries(warningTypes).map(([name, { severity }]) => [name, severity]);
  expect(listed.toSorted()).toEqual(declared.toSorted());
  const byCapture = types.slice(
    0,
    types.findIndex(([first = '']) => first.includes('By the consumer')),
  );
  expect(byCapture.flatMap(([names = '']) => namesIn(names)).toSorted()).toEqual(
    reasons.flatMap(([name, { warning }]) => (warning === undefined ? [] : [name])).toSorted(),
  );
});
