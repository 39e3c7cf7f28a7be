import {
  Array as ArrayType,
  Integer,
  Literal,
  Number as NumberType,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { commonFields, funnelPathsFilter, looksOfFilters, notYet, oneOf, strict } from '../definition/schema-parts.ts';

const texts = ArrayType(StringType());
const { interval: _interval, ...fields } = commonFields;

/** Strict schema of a PathsQuery (contract/insights 1.1, 10.1). */
export const pathsSchema = strict({
  kind: Literal('PathsQuery'),
  ...fields,
  pathsFilter: strict(
    {
      includeEventTypes: Optional(ArrayType(oneOf(['$pageview', '$screen', 'custom_event', 'hogql']))),
      pathsHogQLExpression: Optional(StringType()),
      startPoint: Optional(StringType()),
      endPoint: Optional(StringType()),
      stepLimit: Optional(Integer({ minimum: 2, maximum: 20 })),
      edgeLimit: Optional(Integer({ minimum: 1, maximum: 1_000 })),
      minEdgeWeight: Optional(NumberType()),
      maxEdgeWeight: Optional(NumberType()),
      excludeEvents: Optional(texts),
      pathGroupings: Optional(texts),
      localPathCleaningFilters: Optional(
        ArrayType(
          ObjectType(
            { regex: StringType(), alias: StringType(), order: Optional(Unknown()) },
            { additionalProperties: false },
          ),
        ),
      ),
      pathReplacements: notYet('Write the rules as localPathCleaningFilters.'),
    },
    [...looksOfFilters, 'pathStartKey', 'pathEndKey', 'pathDropoffKey', 'display'],
  ),
  funnelPathsFilter,
});

/** A definition that fits the schema. */
export type PathsDefinition = Static<typeof pathsSchema>;
