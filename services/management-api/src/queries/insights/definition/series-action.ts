import type { EventsNode } from './schema-parts.ts';
import { labelOf } from './series-label.ts';

/** `action` of a result (contract/insights 5.2). */
export interface SeriesAction {
  id: string | null;
  name: string;
  type: 'events';
  order: number;
  custom_name: string | null;
  math: string | null;
  math_property: string | null;
  math_hogql: string | null;
  math_group_type_index: number | null;
  properties: object;
  days: readonly string[];
}

/** The series itself, as its results show it. `days`: starts of the current range's intervals, ISO with zone. Pure. */
export const actionOf = (node: EventsNode, order: number, days: readonly string[]): SeriesAction => ({
  id: node.event ?? null,
  name: labelOf(node.event ?? null),
  type: 'events',
  order,
  custom_name: node.custom_name ?? null,
  math: node.math ?? null,
  math_property: node.math_property ?? null,
  math_hogql: node.math_hogql ?? null,
  math_group_type_index: node.math_group_type_index ?? null,
  properties: {},
  days,
});
