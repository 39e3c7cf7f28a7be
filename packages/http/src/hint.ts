/** In a schema: the sentence that follows the error when the value is missing, of another type, or in a body that is no JSON. */
export const hint = (sentence: string): { 'x-hint': string } => ({ 'x-hint': sentence });

/**
 * In the schema of an object: the sentence that follows the error about a field that the object does not have, or what makes it of the
 * field's name. `%s` is the name, as JSON. Only for `fields`, unless none are named.
 */
export const unknownFieldHint = (
  sentence: UnknownFieldHint['sentence'],
  fields?: readonly string[],
): { 'x-unknown-field-hint': UnknownFieldHint } => ({ 'x-unknown-field-hint': { sentence, fields } });

/**
 * In the schema of an object that ignores unknown fields: refuses those for which `adviceFor` has a sentence. It is called for
 * the first hundred fields that the object does not have.
 */
export const refusedFields = (adviceFor: AdviceFor): { 'x-refused-fields': AdviceFor } => ({
  'x-refused-fields': adviceFor,
});

/** The sentence about what to write instead of a field; undefined: the field is ignored. */
export type AdviceFor = (name: string, value: unknown) => string | undefined;

interface UnknownFieldHint {
  sentence: string | ((name: string) => string);
  fields: readonly string[] | undefined;
}

/** A schema, or a part of one, with the hints that it may have. */
export interface Hinted {
  'x-hint'?: string;
  'x-unknown-field-hint'?: UnknownFieldHint;
  'x-refused-fields'?: AdviceFor;
  properties?: Record<string, Hinted>;
}

/** Keywords of hints, which no document shows. */
export const hintKeywords = [
  'x-hint',
  'x-unknown-field-hint',
  'x-refused-fields',
] as const satisfies readonly (keyof Hinted)[];
