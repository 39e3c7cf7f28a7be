import { eventKind } from '@millrace/contracts/event-kinds.ts';
import { distinctIdLengthMax } from '@millrace/contracts/limits.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { textOf } from './text-of.ts';
import type { ChangedMembers, ChangedName } from '../body/known-members.ts';
import { propertyText } from './event-text.ts';
import { withoutLongGroups } from './group-limits.ts';
import { cleanText } from '@millrace/json/clean-json.ts';
import { bounded, codePointCount, firstCodePoints, isLongerThan } from './safe-text.ts';
import type { EventWarning, RawEvent } from './event.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Changes of the properties of an accepted event, as `withMembers` takes them, and the warnings about them. */
interface AdjustedProperties {
  changes: ChangedMembers;
  warnings: EventWarning[];
}

/**
 * The few things that capture changes in properties: entries of `$groups` that are too long go (contract/capture 1.9), an
 * id to merge is cut as the distinct id is (2.1), a session id that is a uuid is put in lower case (2.6). The rest of the
 * text stays as it came. Null, and that is nearly always, when there is nothing to change or to say.
 */
export function adjustProperties(event: string, properties: Properties, raw: RawEvent): AdjustedProperties | null {
  const groups = withoutLongGroups(properties, raw);
  const cut = cutMergedId(event, properties, raw);
  const session = checkSessionId(properties['$session_id']);
  if (groups === null && cut === null && session === null) return null;

  const changes = new Map<ChangedName, string>();
  const warnings: EventWarning[] = [];
  if (groups !== null) {
    changes.set('$groups', groups.kept);
    warnings.push(...groups.warnings);
  }
  if (cut !== null) {
    changes.set(cut.property, JSON.stringify(cut.id));
    warnings.push({
      type: 'distinct_id_truncated',
      details: { property: cut.property, distinctId: bounded(cut.id), distinctIdLength: cut.length },
    });
  }
  if (typeof session === 'string') changes.set('$session_id', JSON.stringify(session));
  else if (session !== null) warnings.push(session);
  return { changes, warnings };
}

/** The text that replaces it, a warning, or null when the session id is valid or missing. */
function checkSessionId(session: unknown): string | EventWarning | null {
  if (session === undefined || session === null || session === '') return null;
  if (typeof session !== 'string' || !isUuid(session)) {
    const sessionId = bounded(typeof session === 'string' ? session : JSON.stringify(session));
    return { type: 'invalid_event_session_id', details: { sessionId } };
  }
  const lower = session.toLowerCase();
  return lower === session ? null : lower;
}

function cutMergedId(event: string, properties: Properties, raw: RawEvent) {
  const { merge } = eventKind(event);
  if (merge === null) return null;
  const { property } = merge;
  const value = properties[property];
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const id = textOf(value, () => propertyText(raw, property));
  if (!isLongerThan(id, distinctIdLengthMax)) return null;
  return { property, id: firstCodePoints(cleanText(id), distinctIdLengthMax), length: codePointCount(id) };
}
