import type { Span } from '../query-error.ts';
import type { Expression } from './expressions.ts';

// Nodes of ours, in trees that code makes: no text has them.

/**
 * The value brought to this type, as a comparison brings it: what a property or a text cannot be read as is
 * NULL. `bounded`: a time that the engine can cut, the nearest one for others. `stored`: a property stays the text that is stored, whatever type
 * the project has learned; anything else stays what it is. `version`: a text that sorts by the numbers of the version, `versionKey`.
 */
export interface ReadAs extends Span {
  node: 'ReadAs';
  type: 'number' | 'time' | 'bounded' | 'stored' | 'version';
  expr: Expression;
}

/** Does the text contain one of these, in whatever case, or match one of these patterns? No text does neither. */
export interface TextSearch extends Span {
  node: 'TextSearch';
  search: TextSearchKind;
  text: Expression;
  sought: Expression[];
}

export type TextSearchKind = 'contains' | 'matches';

/**
 * A condition that was parsed by itself, on the row of one table of FROM. It knows the columns of that table,
 * and nothing else of the statement. `expr` has its places in `text`, which it was parsed of.
 */
export interface RowCondition extends Span {
  node: 'RowCondition';
  expr: Expression;
  /** The place of the table in FROM. */
  from: number;
  text: string;
}
