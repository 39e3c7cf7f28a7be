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
import { nullable } from '@millrace/http/nullable.ts';
import type { EndpointToken as StoredToken, User } from '@millrace/postgres/generated/client.ts';
import { RunWarnings } from '../../../queries/result/run-warnings.ts';
import { runFormats } from '../runs/run-request.ts';
import { summarizeUser, UserOrNull } from '../../../accounts/user-summary.ts';
import { misnamedFields, namesOfEnd } from '../../../misnamed-fields.ts';

const timestamp = StringType({ format: 'date-time' });
const runsMax = 1_000_000;

/** A token that runs one endpoint (contract/endpoints 4.9). `value` is there once, in the reply that made it. */
export const EndpointToken = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    label: StringType({ examples: ['Signup page'] }),
    value: nullable(StringType({ description: 'The token itself, only in the reply that makes it; else null.' })),
    mask_value: StringType({ description: 'First and last four characters.', examples: ['phr_...9kLm'] }),
    version: nullable(Integer({ description: 'The only version that it runs; null: the newest.' })),
    variables: Record(StringType(), Unknown(), {
      description: 'Values that its holder cannot change.',
      examples: [{ plan: 'pro' }],
    }),
    runs_per_minute: nullable(Integer()),
    formats: ArrayType(StringType(), {
      examples: [[]],
      description: 'Those of `csv` and `ndjson` in which it may stream.',
    }),
    rows_max: nullable(
      Integer({ description: 'How many of the first rows of the result it shows; null: those of one reply.' }),
    ),
    may_refresh: Boolean({ description: 'It may ask for the rows of now with `refresh`.' }),
    expires_at: nullable(timestamp),
    created_at: timestamp,
    created_by: UserOrNull,
  },
  { title: 'EndpointToken' },
);

/** The reply that makes one: what its holder may choose, too. */
export const MadeEndpointToken = ObjectType(
  {
    ...EndpointToken.properties,
    open_variables: ArrayType(StringType(), {
      examples: [[]],
      description:
        'Variables of the version that runs now which are not pinned: the holder of the token chooses their values.',
    }),
    warnings: RunWarnings,
  },
  { title: 'EndpointTokenMade' },
);

/** Body of create. */
export const EndpointTokenBody = ObjectType(
  {
    label: StringType({ format: 'line', minLength: 1, maxLength: 100, examples: ['Signup page'] }),
    version: Optional(nullable(Integer({ minimum: 1, maximum: 2_147_483_647 }))),
    variables: Optional(
      nullable(
        Record(StringType(), Unknown(), {
          examples: [{ plan: 'pro' }],
          description: 'By name. Without a version named, pin also those that newer versions may declare.',
        }),
      ),
    ),
    runs_per_minute: Optional(
      nullable(Integer({ minimum: 1, maximum: runsMax, description: 'More are answered with 429.' })),
    ),
    formats: Optional(
      nullable(
        ArrayType(StringType({ enum: [...runFormats] }), {
          maxItems: runFormats.length,
          uniqueItems: true,
          description:
            'Those of `csv` and `ndjson` in which it may stream; none unless given. Each stream is work for ClickHouse. `json` and `objects` are allowed to every token.',
        }),
      ),
    ),
    rows_max: Optional(
      nullable(
        Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'It shows so many of the first rows of the result, by pages and streams too.',
        }),
      ),
    ),
    may_refresh: Optional(
      nullable(
        Boolean({
          description:
            'Whether it may ask for the rows of now with `refresh: force`; not unless given. Each such run is work for ClickHouse.',
        }),
      ),
    ),
    expires_at: Optional(
      nullable(StringType({ format: 'date-time', description: 'From then on it is worth nothing; null: never.' })),
    ),
  },
  {
    title: 'EndpointTokenCreate',
    // A bound by another name would be none, and a variable not pinned.
    ...misnamedFields({
      label: ['name'],
      version: ['endpoint_version', 'version_number'],
      variables: ['pinned', 'pinned_variables', 'values', 'parameters', 'params'],
      runs_per_minute: [
        'rate',
        'rate_limit',
        'rpm',
        'runs_max',
        'max_runs',
        ...['runs', 'calls', 'requests'].flatMap((name) =>
          ['sec', 'second', 'min', 'minute', 'hour', 'day'].map((unit) => `${name}_per_${unit}`),
        ),
      ],
      formats: [],
      rows_max: ['max_rows', 'rows', 'row_limit', 'limit'],
      may_refresh: ['refresh', 'can_refresh'],
      expires_at: namesOfEnd,
    }),
  },
);

/** The token, with its value when it was just made. */
export function renderToken(
  token: StoredToken & { createdBy: User | null },
  value: string | null = null,
): Static<typeof EndpointToken> {
  return {
    ...describeToken(token),
    id: token.id,
    value,
    created_at: token.createdAt.toISOString(),
    created_by: summarizeUser(token.createdBy),
  };
}

/** Its form in the activity log. */
export function describeToken({
  label,
  maskValue,
  version,
  variables,
  runsPerMinute,
  formats,
  rowsMax,
  mayRefresh,
  expiresAt,
}: StoredToken) {
  return {
    label,
    mask_value: maskValue,
    version,
    variables: variables as { [name: string]: unknown },
    runs_per_minute: runsPerMinute,
    formats,
    rows_max: rowsMax,
    may_refresh: mayRefresh,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}
