import type { TextField } from './text-fields.ts';

/** Is this place of a definition a list of filters, or a member of one? */
export const takesFilters = ({ path }: TextField): boolean =>
  /^(?:properties|fixedProperties)$/.test(String(path.at(-1) === 0 ? path.at(-2) : path.at(-1)));

/** A filter for each field and each type that has the text: as a key, a value, an operator, a type, and the name of a field. */
export const filtersWith = (text: string): readonly object[] => [
  ...['event', 'feature', 'person', 'session', 'event_metadata', 'element', 'hogql', 'cohort', text].map((type) => ({
    type,
    key: text,
    value: 'v',
  })),
  { type: 'group', group_type_index: 0, key: text, value: text },
  { type: 'group', group_type_index: text, key: 'plan', value: text },
  ...['text', 'href', 'tag_name', 'selector'].map((key) => ({ type: 'element', key, value: text })),
  ...['exact', 'is_not', 'icontains', 'not_icontains_multi', 'regex', 'gt', 'is_date_before', 'semver_gte', text].map(
    (operator) => ({ key: 'plan', operator, value: text }),
  ),
  { key: 'plan', operator: 'between', value: [text, text] },
  { key: 'plan', value: [text, 'pro'] },
  { key: 'plan', value: { [text]: text } },
  { key: 'plan', value: 'pro', [text]: text },
  { type: 'AND', values: [{ key: text, value: text }] },
  { type: text, values: [{ key: text, value: text }] },
];
