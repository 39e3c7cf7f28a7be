import { describe, expect, test } from '@jest/globals';
import { testDraft } from '../../test/drafts.ts';
import { decideProfile } from './decide-profile.ts';

describe('decideProfile (contract/capture 4.2)', () => {
  test.each([
    ['an event is identified by default', {}, '{}', 'full'],
    ['false makes it anonymous', {}, '{"$process_person_profile":false}', 'anonymous'],
    ['true keeps it identified', {}, '{"$process_person_profile":true}', 'full'],
    ['capture can switch persons off', { personless: true as const }, '{"$process_person_profile":true}', 'anonymous'],
    ['a client without cookies is anonymous', {}, '{"$cookieless_mode":true}', 'anonymous'],
    ['one that has them is not', {}, '{"$cookieless_mode":false}', 'full'],
    ['so is its sentinel id', { distinctId: '$posthog_cookieless' }, '{}', 'anonymous'],
    ['a flag call creates no person', { event: '$feature_flag_called' }, '{}', 'existing'],
    ['unless it says so', { event: '$feature_flag_called' }, '{"$process_person_profile":true}', 'full'],
    ['no groups are none', { event: '$feature_flag_called' }, '{"$groups":{}}', 'existing'],
    ['or carries groups', { event: '$feature_flag_called' }, '{"$groups":{"company":"a"}}', 'full'],
    [
      'a filled-in id of a group is nobody',
      { event: '$groupidentify', distinctId: '$company_5' },
      '{"$group_type":"company","$group_key":5}',
      'existing',
    ],
    [
      'a group told by a user is told by a person',
      { event: '$groupidentify' },
      '{"$group_type":"company","$group_key":5}',
      'full',
    ],
  ])('%s', (_name, head, body, profile) => {
    const draft = testDraft(head, body);
    expect(decideProfile(draft).kind).toBe('ok');
    expect(draft.profile).toBe(profile);
    expect(draft.warnings).toEqual([]);
  });

  test.each(['"false"', '0', 'null'])('%s is no boolean: taken for true, with a warning', (flag) => {
    const draft = testDraft({}, `{"$process_person_profile":${flag}}`);
    decideProfile(draft);
    expect(draft.profile).toBe('full');
    expect(draft.warnings).toMatchObject([
      { type: 'invalid_process_person_profile', details: { $process_person_profile: flag } },
    ]);
    const call = testDraft({ event: '$feature_flag_called' }, `{"$process_person_profile":${flag}}`);
    decideProfile(call);
    expect(call.profile).toBe('full');
  });

  test('a warning shows no more than the beginning of a flag that is no boolean', () => {
    const draft = testDraft({}, JSON.stringify({ $process_person_profile: 'x'.repeat(10_000) }));
    decideProfile(draft);
    expect(draft.warnings).toMatchObject([{ details: { $process_person_profile: `"${'x'.repeat(199)}` } }]);
  });

  test.each(['$identify', '$create_alias', '$merge_dangerously'])(
    '%s that switches its own profile off is dropped with a warning',
    (event) => {
      const draft = testDraft({ event }, '{"$process_person_profile":false}');
      expect(decideProfile(draft)).toEqual({ kind: 'drop', reason: 'contradicts_person_profile' });
      expect(draft.warnings.map(({ type }) => type)).toEqual(['invalid_event_when_process_person_profile_is_false']);
    },
  );

  test.each([
    ['$identify', { personless: true as const }],
    ['$groupidentify', {}],
  ])('%s is not dropped when it does not contradict itself', (event, head) => {
    const body = event === '$identify' ? '{}' : '{"$process_person_profile":false}';
    const draft = testDraft({ event, ...head }, body);
    expect(decideProfile(draft).kind).toBe('ok');
    expect(draft.profile).toBe('anonymous');
  });
});
