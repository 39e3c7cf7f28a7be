/** A JSON schema of OpenAPI 3.0. */
export type Json = Readonly<Record<string, unknown>>;

export const string = { type: 'string' };
export const nullableString = { type: 'string', nullable: true };
