import { describe, expect, test } from '@jest/globals';
import { numberCases } from '@millrace/json/testing/number-cases.ts';
import { entryRange, processedDraft, testEntry, testProject, lookupOf } from '../../test/drafts.ts';
import { processEvent, readEntry } from '../process-event.ts';

describe('readMerge (contract/capture 4.4)', () => {
  test.each([
    ['"ann"', 'ann'],
    ['" "', ' '],
    ['""', ''],
    ['77', '77'],
    // As capture writes the distinct id of an event that says the same.
    ...numberCases.map(([written, , id]): [string, string] => [written, id]),
  ])('the other id %s is %s', (written, id) => {
    expect(
      processedDraft({ event: '$identify' }, `{"a":{"$anon_distinct_id":1e22},"$anon_distinct_id":${written}}`).merge,
    ).toEqual({ kind: 'identify', own: 'user-1', other: id });
  });

  test.each(['""', 'null', '[1]', '{}', 'true'])('%s is no id', (written) => {
    expect(processedDraft({ event: '$create_alias' }, `{"alias":${written}}`)).toMatchObject({
      merge: null,
      warnings: [{ type: 'missing_alias' }],
    });
  });

  test('an $identify without another id only updates properties, without a warning', () => {
    expect(processedDraft({ event: '$identify' })).toMatchObject({ merge: null, warnings: [] });
  });

  test('one that no index would hold costs its event alone: it would stop the batch of everybody', () => {
    const { outcome } = processEvent(
      readEntry(entryRange(testEntry({ event: '$merge_dangerously' }, JSON.stringify({ alias: 'x'.repeat(401) })))),
      lookupOf(testProject),
    );
    expect(outcome).toMatchObject({ kind: 'dead-letter', reason: 'unreadable_properties' });
  });
});
