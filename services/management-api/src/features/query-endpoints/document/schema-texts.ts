/** A JSON schema of OpenAPI 3.0. */
export type Json = Readonly<Record<string, unknown>>;

export const string = { type: 'string' };
export const nullableString = { type: 'string', nullable: true };

/** A schema of the same document, by its name. */
export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
