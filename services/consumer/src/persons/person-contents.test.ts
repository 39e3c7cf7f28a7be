import { expect, test } from '@jest/globals';
import { testDraft } from '../test/drafts.ts';
import { contentsOf, personContentRow } from './person-contents.ts';
import { PersonOfEvent } from './person-of-event.ts';
import { PersonProperties } from './person.ts';

const of = (properties: PersonProperties): PersonOfEvent => new PersonOfEvent('a', 'full', properties);
const text = 'x'.repeat(16_384);

test('properties of more than 16,384 characters as JSON are named by their content, smaller ones are not', () => {
  const [least, most] = [new PersonProperties({ a: text.slice(7) }), new PersonProperties({ a: text.slice(8) })];
  expect([least.textLength, most.textLength]).toEqual([16_385, 16_384]);
  expect([least.contentId > 0n, most.contentId]).toEqual([true, 0n]);
  expect(new PersonProperties({ a: text.slice(7) }).contentId).toBe(least.contentId);
  expect(new PersonProperties({ b: text.slice(7) }).contentId).not.toBe(least.contentId);
});

test('each content of a project is written once for all events that name it', () => {
  const [one, same, other, small] = [{ text }, { text }, { text, more: 1 }, { plan: 'pro' }].map(
    (values) => new PersonProperties(values),
  ) as [PersonProperties, PersonProperties, PersonProperties, PersonProperties];
  const drafts = Array.from({ length: 5 }, () => testDraft());
  const foreign = { ...testDraft(), project: { ...testDraft().project, id: 8 } };
  const contents = contentsOf([...drafts, foreign], [one, same, other, small, one, one].map(of));
  expect(contents.map(({ teamId, properties }) => [teamId, properties.contentId])).toEqual([
    [7, one.contentId],
    [7, other.contentId],
    [8, one.contentId],
  ]);
  const { team_id, id, properties_text } = personContentRow(contents[1] as (typeof contents)[number]);
  expect([team_id, id, properties_text === other.text]).toEqual([7, other.contentId, true]);
});
