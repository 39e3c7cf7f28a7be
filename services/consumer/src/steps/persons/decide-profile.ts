import { excerpt, warn, type EventDraft } from '../../events/event-draft.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import { drop, ok, type Outcome } from '../../events/outcome.ts';

/** Sentinel of clients without cookies (contract/capture 2.6): accepted as anonymous. */
const cookielessDistinctId = '$posthog_cookieless';

/**
 * Decides how the event meets persons (contract/capture 4.2): `$process_person_profile: false` makes it anonymous, any
 * value that is not a boolean counts as true with a warning, and an identifying event that switches its own profile off is dropped.
 */
export function decideProfile(draft: EventDraft): Outcome {
  const flag = draft.properties.get('$process_person_profile');
  if (flag === false && draft.eventKind.merge !== null) {
    warn(draft, 'invalid_event_when_process_person_profile_is_false');
    return drop('contradicts_person_profile');
  }
  if (flag !== undefined && typeof flag !== 'boolean') {
    warn(draft, 'invalid_process_person_profile', {
      $process_person_profile: excerpt(String(JSON.stringify(flag))),
      message: 'not a boolean: taken for true',
    });
  }
  draft.profile = isAnonymous(draft, flag) ? 'anonymous' : withoutFlag(draft, flag);
  return ok;
}

function isAnonymous(draft: EventDraft, flag: unknown): boolean {
  if (flag === false || draft.head.personless === true) return true;
  return draft.properties.get('$cookieless_mode') === true || draft.head.distinctId === cookielessDistinctId;
}

/** Two kinds of events do not create a person by themselves (contract/capture 4.2, 4.5). */
function withoutFlag({ head, eventKind, properties }: EventDraft, flag: unknown): 'full' | 'existing' {
  if (eventKind.isFlagCall) {
    const groups = properties.get('$groups');
    const grouped = isJsonObject(groups) && Object.keys(groups).length > 0;
    return flag === undefined && !grouped ? 'existing' : 'full';
  }
  if (!eventKind.describesGroup) return 'full';
  const [type, key] = [properties.get('$group_type'), properties.get('$group_key')];
  const isFilledIn = isScalar(type) && isScalar(key) && head.distinctId === `$${type}_${key}`;
  return isFilledIn ? 'existing' : 'full';
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
