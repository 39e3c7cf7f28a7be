declare const printed: unique symbol;

/**
 * SQL that may be sent as the `tenant` user. Only the compiler makes it (`compile.ts`): row policies do not keep out everything that raw
 * SQL can name, the compiler's list of tables and functions does. A text written by hand has not this type.
 */
export type TenantSql = string & { readonly [printed]: true };
