import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  Record as RecordType,
  String as StringType,
  Unknown,
  Unsafe,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { summarizeUser, UserOrNull } from '../../../accounts/user-summary.ts';
import { textField } from '../fields/text-field.ts';
import { scoreKinds, type ScoreKind } from './config/score-config.ts';
import type { StoredDefinition } from './stored-definition.ts';

const config = RecordType(StringType(), Unknown(), {
  description:
    'Depends on the kind. Categorical: `options` (each a `key` and a `label`), `selection_mode` (`single` or `multiple`), `min_selections`, `max_selections`. Numeric: `min`, `max`, `step`. Boolean: `true_label`, `false_label`, `true_is_failure`. Categorical and numeric: `passing_rule`.',
  examples: [
    {
      options: [
        { key: 'helpful', label: 'Helpful' },
        { key: 'wrong', label: 'Wrong' },
      ],
      selection_mode: 'single',
      passing_rule: { categories: ['helpful'] },
    },
  ],
});

const kindField = Unsafe<ScoreKind>({ type: 'string', enum: [...scoreKinds] });

/** A score definition, or scorer (spec 2, contract/llm-surveys 3.1). */
export const ScoreDefinition = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    name: StringType({ examples: ['Helpfulness'] }),
    description: StringType({ examples: ['Does the answer help?'] }),
    kind: kindField,
    archived: Boolean(),
    tags: ArrayType(StringType(), { examples: [['support']] }),
    current_version: Integer({ examples: [1] }),
    current_version_id: StringType({ format: 'uuid' }),
    config,
    created_by: UserOrNull,
    created_at: StringType({ format: 'date-time' }),
    updated_at: StringType({ format: 'date-time' }),
    team: Integer({ description: 'The project.' }),
    short_name: StringType({ description: 'Empty: there is none, and the name stands for it.', examples: ['Help'] }),
  },
  { title: 'ScoreDefinition' },
);

/** A version of a definition; it never changes (contract/llm-surveys 3.3). */
export const ScoreDefinitionVersion = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    definition_id: StringType({ format: 'uuid' }),
    version: Integer({ examples: [1] }),
    kind: kindField,
    config,
    created_at: StringType({ format: 'date-time' }),
    created_by: UserOrNull,
  },
  { title: 'ScoreDefinitionVersion' },
);

const name = textField({ description: 'At most 255 characters. Need not be unique.', examples: ['Helpfulness'] });
const shortName = Unsafe<string | number | null>({
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
  description: 'A label for narrow columns, at most 40 characters. Nothing but blanks, or null, is none.',
  examples: ['Help'],
});
const description = Unsafe<string | number | null>({
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
  description: 'Null is the same as an empty text.',
  examples: ['Does the answer help?'],
});
const tags = ArrayType(textField({ examples: ['support'] }), {
  maxItems: 100,
  description: 'Stored trimmed, in lower case, each once, sorted. Each has at most 255 characters.',
  examples: [['support']],
});

/** A composite scorer is refused by name: it must not become a plain one (contract/decisions 46). */
const calculationFields = {
  calculation: Optional(
    nullable(
      Unsafe<'reported' | 'composite'>({
        type: 'string',
        enum: ['reported', 'composite'],
        description: 'Composite scorers are not offered.',
      }),
    ),
  ),
  composition: Optional(Unsafe<unknown>({ description: 'Composite scorers are not offered: null.', examples: [null] })),
};

/** Body of create. */
export const ScoreDefinitionBody = ObjectType(
  {
    name,
    kind: kindField,
    config,
    short_name: Optional(shortName),
    description: Optional(description),
    tags: Optional(tags),
    archived: Optional(Boolean({ examples: [false], description: 'A new definition is active: false.' })),
    ...calculationFields,
  },
  { title: 'ScoreDefinitionCreate' },
);

/** Body of PATCH: the kind stays, and a config changes by a new version. */
export const ScoreDefinitionChange = ObjectType(
  {
    name: Optional(name),
    short_name: Optional(shortName),
    description: Optional(description),
    tags: Optional(tags),
    archived: Optional(Boolean()),
  },
  { title: 'ScoreDefinitionUpdate' },
);

/** Body of a new version. */
export const NewVersionBody = ObjectType(
  {
    config,
    base_version: Optional(
      nullable(
        Integer({ minimum: 1, description: 'The current version, as the caller knows it. Another one is a 409.' }),
      ),
    ),
    name: Optional(name),
    short_name: Optional(shortName),
    description: Optional(description),
    ...calculationFields,
  },
  { title: 'ScoreDefinitionNewVersion' },
);

/** Pure. */
export function renderDefinition(row: StoredDefinition): Static<typeof ScoreDefinition> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    kind: row.kind,
    archived: row.archived,
    tags: row.tags,
    current_version: row.currentVersion,
    current_version_id: row.currentVersionId,
    config: row.config,
    created_by: summarizeUser(row.createdBy),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    team: row.projectId,
    short_name: row.shortName,
  };
}

/** A definition as the activity log shows it. Pure. */
export function loggedDefinition(row: StoredDefinition): Record<string, unknown> {
  return {
    name: row.name,
    short_name: row.shortName,
    description: row.description,
    kind: row.kind,
    archived: row.archived,
    tags: row.tags,
    current_version: row.currentVersion,
    config: row.config,
  };
}
