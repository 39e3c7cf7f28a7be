import type { EventDraft } from '../event-draft.ts';
import { appendMember } from '../json/json-text.ts';
import { removeProperties } from './remove-properties.ts';

/** Gives a property another value, in the draft's values and at the end of its text. `value` must be clean. */
export function replaceProperty(draft: EventDraft, name: string, value: unknown): void {
  removeProperties(draft, [name]);
  draft.properties[name] = value;
  draft.propertiesText = appendMember(draft.propertiesText, name, JSON.stringify(value));
}
