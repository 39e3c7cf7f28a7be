import type { EventDraft } from '../event-draft.ts';
import { removeMembers } from '../json/json-text.ts';

/** Takes properties out of the draft's values and of its text. The text is left alone when none of them is there. */
export function removeProperties(draft: EventDraft, names: readonly string[]): void {
  const present = names.filter((name) => Object.hasOwn(draft.properties, name));
  if (present.length === 0) return;
  for (const name of present) delete draft.properties[name];
  draft.propertiesText = removeMembers(draft.propertiesText, new Set(present));
}
