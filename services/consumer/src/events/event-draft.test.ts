import { expect, test } from '@jest/globals';
import { warn } from './event-draft.ts';
import { readGroups } from '../steps/read-groups.ts';
import { testDraft } from '../test/drafts.ts';

const long = `${'a'.repeat(199)}😀${'a'.repeat(300)}`;

test('what warnings show of long texts is short, and no half of a character', () => {
  const draft = testDraft({ event: long }, JSON.stringify({ $groups: { [long]: 'acme', company: long } }));
  readGroups(draft);
  warn(draft, 'missing_alias');
  const shown = draft.warnings
    .flatMap(({ details: { event, groupType, groupKey } }) => [event, groupType, groupKey])
    .filter((text) => text !== undefined);
  expect(shown).toHaveLength(5);
  expect(new Set(shown)).toEqual(new Set([`${'a'.repeat(199)}\ufffd`]));
});
