import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  Record,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { hint, unknownFieldHint } from '@millrace/http/hint.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { queryHint, variablesHint } from '../../../queries/definition/query-hints.ts';
import { endpointExample } from '../endpoint-example.ts';
import { dataFreshnessDefault, dataFreshnessDescription } from './freshness.ts';

/** A query as its author wrote it; `checkQuery` says what of it can be used. */
const QueryDefinition = Record(StringType(), Unknown(), {
  title: 'QueryDefinition',
  ...hint(queryHint),
  examples: [endpointExample.query],
  description: 'A saved query: `{"kind": "HogQLQuery", "query": "select …", "variables": {…}}`.',
});

const namePattern = '^[a-zA-Z][a-zA-Z0-9_-]{0,127}$';

/** True when an endpoint can have that name (contract/endpoints 1). */
export function isEndpointName(text: string): boolean {
  return new RegExp(namePattern).test(text);
}

/** Keywords for the bodies that have a query: variables are a part of it. */
export const misplacedVariables = unknownFieldHint(variablesHint, ['variables']);

/** Body of create (spec 4.3, contract/endpoints 1). `version` and `deleted` mean nothing there. */
export const EndpointBody = ObjectType(
  {
    name: StringType({
      minLength: 1,
      maxLength: 128,
      pattern: namePattern,
      examples: [endpointExample.name],
      description: 'Starts with a letter; letters, digits, - and _; at most 128 characters.',
    }),
    query: QueryDefinition,
    description: Optional(nullable(StringType())),
    data_freshness_seconds: Optional(
      nullable(Integer({ description: dataFreshnessDescription, examples: [dataFreshnessDefault] })),
    ),
    is_active: Optional(nullable(Boolean())),
    is_materialized: Optional(
      nullable(
        Boolean({
          description:
            'True: the version has a table, from which runs are answered while it is younger than `data_freshness_seconds`. The reply waits at most 2 s for it. `materialization_preview` says which rule refuses a query.',
        }),
      ),
    ),
    derived_from_insight: Optional(nullable(StringType({ maxLength: 12 }))),
    version: Optional(nullable(Integer())),
    bucket_overrides: Optional(
      nullable(
        Record(StringType(), Unknown(), {
          description:
            'Sizes of the buckets to which the table cuts times, by column as the query writes it: `minute`, `fifteen_minutes`, `hour`, `day` (the default of columns), `week` or `month`.',
        }),
      ),
    ),
    deleted: Optional(nullable(Boolean())),
    tags: Optional(nullable(ArrayType(StringType({ minLength: 1, maxLength: 255 })))),
    optional_breakdown_properties: Optional(
      nullable(
        ArrayType(StringType(), {
          description:
            'Breakdown properties of an insight that runs may leave out when it is materialized: they get the series of every value.',
        }),
      ),
    ),
  },
  { title: 'EndpointCreate', additionalProperties: false, ...misplacedVariables },
);
export type EndpointBody = Static<typeof EndpointBody>;

/** Names that are paths of their own below the collection, in any case: paths are found so. */
const reservedNames = new Set(['materialization_conditions', 'last_execution_times']);

/** @throws {AppError} 400 on `name` */
export function refuseReservedName(name: string): void {
  if (reservedNames.has(name.toLowerCase()))
    throw new AppError('invalid_input', { attr: 'name', detail: `The name "${name}" is reserved.` });
}

/** Refuses what no endpoint can be. @throws {AppError} 400 on the field */
export function refuseOptions(body: Partial<Pick<EndpointBody, 'is_active' | 'is_materialized'>>): void {
  if (body.is_materialized && body.is_active === false)
    throw new AppError('invalid_input', {
      attr: 'is_materialized',
      detail: 'An inactive endpoint cannot be materialized.',
    });
}

/** The 400 for a name that another endpoint of the project has */
export function takenName(name: string): AppError {
  return new AppError('unique', { attr: 'name', detail: `There is an endpoint with the name "${name}" already.` });
}
