import {
  Boolean,
  Array as ArrayType,
  Null,
  Number as NumberType,
  Object as ObjectType,
  Optional,
  String as StringType,
  Union,
  Unsafe,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { InsightVariable as Row, User } from '@millrace/postgres/generated/client.ts';
import { readDeclarations, variableTypes, type VariableType } from '../../queries/definition/variables.ts';
import { misnamedFields } from '../../misnamed-fields.ts';
import { summarizeUser, UserOrNull } from '../../accounts/user-summary.ts';

const scalar = [StringType(), NumberType(), Boolean()];
const defaultValue = Union([...scalar, ArrayType(Union(scalar)), Null()], {
  examples: ['free'],
  description: 'What it is worth when neither a query nor a run says so.',
});

const fields = {
  name: StringType({ minLength: 1, maxLength: 400, examples: ['Plan'] }),
  code_name: StringType({
    minLength: 1,
    maxLength: 400,
    pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$',
    examples: ['plan'],
    description: 'As in `{variables.<code_name>}`. Default: the name, in lower case, with _ for what else is in it.',
  }),
  type: Unsafe<VariableType>({ type: 'string', enum: [...variableTypes] }),
};

/** A variable that the queries of a project share (contract/clients B9). */
export const InsightVariable = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    name: StringType({ examples: ['Plan'] }),
    code_name: StringType({ examples: ['plan'] }),
    type: fields.type,
    default_value: defaultValue,
    created_by: UserOrNull,
    created_at: StringType({ format: 'date-time' }),
  },
  { title: 'InsightVariable' },
);

// By another name it would be none, and each run would have to give a value.
const misnamed = misnamedFields({ default_value: ['default', 'fallback', 'initial_value'] });

/** Body of create. */
export const InsightVariableBody = ObjectType(
  {
    name: fields.name,
    type: fields.type,
    code_name: Optional(fields.code_name),
    default_value: Optional(defaultValue),
  },
  { title: 'InsightVariableCreate', ...misnamed },
);
export type InsightVariableBody = Static<typeof InsightVariableBody>;

/** Body of PATCH: the code name stays, because queries know it. */
export const InsightVariableChange = ObjectType(
  { name: Optional(fields.name), type: Optional(fields.type), default_value: Optional(defaultValue) },
  { title: 'InsightVariableUpdate', ...misnamed },
);

/** Pure. */
export function renderVariable(row: Row & { createdBy: User | null }): Static<typeof InsightVariable> {
  return {
    id: row.id,
    name: row.name,
    code_name: row.codeName,
    type: row.type as VariableType,
    default_value: row.defaultValue as Static<typeof defaultValue>,
    created_by: summarizeUser(row.createdBy),
    created_at: row.createdAt.toISOString(),
  };
}

/** The code name of a variable that was given none. Pure. @throws {AppError} 400 when the name has nothing to make one of */
export function codeNameOf(name: string): string {
  const code = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  if (code === '') throw new AppError('required', { attr: 'code_name' });
  return /^\d/.test(code) ? `_${code}` : code;
}

/** @throws {AppError} 400: the default is not of the type */
export function checkDefault(type: VariableType, value: unknown): void {
  try {
    readDeclarations({ checked: { code_name: 'default_value', type, value } });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('invalid_input', {
      attr: 'default_value',
      detail: `The default is not of the type ${type}.`,
      cause: error,
    });
  }
}
