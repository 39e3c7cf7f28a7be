import { Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { pageQuery } from '@millrace/http/pagination.ts';
import { readTextsOf } from '../../../definitions/list-parameters.ts';
import { orderParameter, readOrder, type Order } from '../../../lists/list-order.ts';
import { readQueryInteger, readQueryText, readQueryUuid } from '../fields/query-text.ts';
import { scoreKinds, type ScoreKind } from './config/score-config.ts';
import { readTags } from './definition-fields.ts';

const orders = ['name', 'kind', 'created_at', 'updated_at', 'current_version'] as const;
export type DefinitionOrder = (typeof orders)[number];

/** Query parameters of the list (contract/llm-surveys 3.1, contract/decisions 46). Empty ones count as absent. */
export const ScoreDefinitionQuery = ObjectType({
  ...pageQuery,
  archived: Optional(
    StringType({
      description: '`true` or `1`: only archived ones. Anything else: only active ones.',
      examples: ['true'],
    }),
  ),
  kind: Optional(StringType({ description: '`categorical`, `numeric` or `boolean`.', examples: ['categorical'] })),
  created_by: Optional(
    StringType({ description: 'Id of the user who made them, as in `created_by` of the records.', examples: ['1'] }),
  ),
  search: Optional(
    StringType({ description: 'A text that the name or the description contains, in any case.', examples: ['help'] }),
  ),
  order_by: Optional(orderParameter(orders, 'the name')),
  tags: Optional(StringType({ description: 'JSON array of tags.', examples: ['["support"]'] })),
  tag_match: Optional(
    StringType({
      description: '`any`: definitions that have at least one of the tags, the default. `all`: that have all of them.',
      examples: ['any'],
    }),
  ),
  calculation: Optional(
    StringType({ description: '`reported` is all that there are; `composite` finds nothing.', examples: ['reported'] }),
  ),
  input_definition_id: Optional(
    StringType({
      description: 'An id finds nothing: there are no composite scorers.',
      examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
    }),
  ),
});

/** Filters and order of a list; null: no filter. */
export interface DefinitionListing {
  archived: boolean;
  kind: ScoreKind | null;
  createdBy: number | null;
  search: string | null;
  tags: readonly string[];
  tagMatch: 'any' | 'all';
  order: readonly Order<DefinitionOrder>[];
}

/** Greatest id of a user. */
const userIdMax = 2_147_483_647;

/**
 * Reads the query of a call; null: it finds nothing, because it asks for composite scorers, or for a user that cannot be. Pure.
 * @throws {AppError} 400 on a parameter
 */
export function readDefinitionQuery(query: Static<typeof ScoreDefinitionQuery>): DefinitionListing | null {
  const order = readOrder(query.order_by, orders);
  const listing: DefinitionListing = {
    archived: /^(?:true|1)$/i.test((query.archived ?? '').trim()),
    kind: readChoice('kind', query.kind, scoreKinds),
    createdBy: readQueryInteger('created_by', query.created_by),
    search: readQueryText(query.search),
    tags: readQueryText(query.tags) === null ? [] : readTags(readTextsOf('tags', query.tags ?? '')),
    tagMatch: readChoice('tag_match', query.tag_match, ['any', 'all'] as const) ?? 'any',
    order: order.length > 0 ? order : [{ by: 'name', descending: false }],
  };
  const input = readQueryUuid('input_definition_id', query.input_definition_id);
  const calculation = readChoice('calculation', query.calculation, ['reported', 'composite'] as const);
  const isUser = listing.createdBy === null || Math.abs(listing.createdBy) <= userIdMax;
  return calculation === 'composite' || input !== null || !isUser ? null : listing;
}

function readChoice<Choice extends string>(
  attr: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | null {
  const value = readQueryText(text);
  if (value === null) return null;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new AppError('invalid_choice', {
    attr,
    detail: `Select a valid choice. ${value.slice(0, 100)} is not one of the available choices.`,
  });
}
