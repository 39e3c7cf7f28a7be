import type { ErrorReplyName } from './error-replies.ts';

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** A parameter of the path or the query, or a header. */
export interface Parameter {
  description: string;
  schema: Schema;
  required?: true;
  /** Readers of the document send it: only of what a request needs. */
  example?: unknown;
}

/** Format of a protocol's errors. */
export interface ErrorForm {
  /** Its body; `code` narrows it to some codes. */
  bodyWith: (codes: readonly string[]) => Schema;
  codeOf: (name: ErrorReplyName) => string;
  /** The body of one, as it is sent. */
  bodyOf: (name: ErrorReplyName) => unknown;
}

/** The description of a route in the OpenAPI document, beside its path and methods. */
export interface Operation {
  tag: 'Events' | 'Events, V1' | 'For SDKs' | 'Reference';
  summary: string;
  description?: string;
  /** Parameters of the path, by name. */
  params?: Readonly<Record<string, Parameter>>;
  query?: Readonly<Record<string, Parameter>>;
  /** Query parameters of GET alone. */
  queryOfGet?: Readonly<Record<string, Parameter>>;
  headers?: Readonly<Record<string, Parameter>>;
  /** True when the project token is in `Authorization`; elsewhere it is in the body, or there is none. */
  hasBearer?: true;
  /** Schema of the body by media type, each with an example; only POST has one. */
  body?: Readonly<Record<string, Schema>>;
  /** Schema of the reply by status, beside those of `errors`; null: no body. */
  replies: Readonly<Record<number, Schema | null>>;
  /** Media type of `replies`; JSON unless given. */
  repliesWith?: string;
  errors?: { form: ErrorForm; names: readonly ErrorReplyName[]; ofGet?: readonly ErrorReplyName[] };
}
