/** In a schema: the sentence that follows the error when the value is missing, of another type, or in a body that is no JSON. */
export const hint = (sentence: string): { 'x-hint': string } => ({ 'x-hint': sentence });

/**
 * In the schema of an object: the sentence that follows the error about a field that the object does not have. `%s` is its name, as
 * JSON. Only for `fields`, unless none are named.
 */
export const unknownFieldHint = (
  sentence: string,
  fields?: readonly string[],
): { 'x-unknown-field-hint': UnknownFieldHint } => ({ 'x-unknown-field-hint': { sentence, fields } });

interface UnknownFieldHint {
  sentence: string;
  fields: readonly string[] | undefined;
}

/** A schema, or a part of one, with the hints that it may have. */
export interface Hinted {
  'x-hint'?: string;
  'x-unknown-field-hint'?: UnknownFieldHint;
  properties?: Record<string, Hinted>;
}

/** Keywords of hints, which a validator must know. */
export const hintKeywords = ['x-hint', 'x-unknown-field-hint'] as const satisfies readonly (keyof Hinted)[];
