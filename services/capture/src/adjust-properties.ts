import { distinctIdLengthMax } from '@millrace/contracts/limits.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { EventWarning } from './accept-event.ts';
import { textOf } from './exact-json.ts';
import { withoutLongGroups } from './group-limits.ts';
import { isObject } from './is-object.ts';
import { bounded, codePointCount, firstCodePoints, isLongerThan, withoutNulAndLoneSurrogates } from './safe-text.ts';
import { withMember } from './splice-json.ts';

type Properties = Readonly<Record<string, unknown>>;

/** What was changed in the properties of an event that is kept; `text` is null when only warnings are to be left. */
export interface AdjustedProperties {
  text: string | null;
  warnings: EventWarning[];
}

/** The property with the other id of events that join two persons. */
export function mergedIdProperty(event: string): 'alias' | '$anon_distinct_id' | null {
  if (event === '$identify') return '$anon_distinct_id';
  return event === '$create_alias' || event === '$merge_dangerously' ? 'alias' : null;
}

/**
 * The few things that capture changes in properties: entries of `$groups` that are too long go (contract/capture 1.9), an
 * id to merge is cut as the distinct id is (2.1), a session id that is a uuid is put in lower case (2.6). The rest of the
 * text stays as it came. Null, and that is nearly always, when there is nothing to change or to say.
 */
export function adjustProperties(event: string, properties: Properties, propertiesText: () => string): AdjustedProperties | null {
  const warnings: EventWarning[] = [];
  const groups = withoutLongGroups(properties, propertiesText);
  if (groups !== null) warnings.push(...groups.faults);
  let text = groups?.text ?? null;

  const cut = cutMergedId(event, properties, propertiesText);
  if (cut !== null) {
    text = withMember(text ?? propertiesText(), cut.property, JSON.stringify(cut.id));
    warnings.push({ type: 'distinct_id_truncated', details: { property: cut.property, distinctId: bounded(cut.id), distinctIdLength: cut.length } });
  }

  const { $session_id: session } = properties;
  if (session === undefined || session === null || session === '') return done(text, warnings);
  if (typeof session !== 'string' || !isUuid(session)) {
    const sessionId = bounded(typeof session === 'string' ? session : JSON.stringify(session));
    warnings.push({ type: 'invalid_event_session_id', details: { sessionId } });
  } else if (session !== session.toLowerCase()) text = withMember(text ?? propertiesText(), '$session_id', JSON.stringify(session.toLowerCase()));
  return done(text, warnings);
}

function done(text: string | null, warnings: EventWarning[]): AdjustedProperties | null {
  return text === null && warnings.length === 0 ? null : { text, warnings };
}

function cutMergedId(event: string, properties: Properties, propertiesText: () => string) {
  const property = mergedIdProperty(event);
  const value = property === null ? undefined : properties[property];
  if (property === null || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const id = textOf(properties, (from) => (isObject(from) ? from[property] : undefined), propertiesText);
  if (!isLongerThan(id, distinctIdLengthMax)) return null;
  return { property, id: firstCodePoints(withoutNulAndLoneSurrogates(id), distinctIdLengthMax), length: codePointCount(id) };
}
