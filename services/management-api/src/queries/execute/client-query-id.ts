import { String as StringType } from 'typebox';

/**
 * Pattern of a caller's own name for a run. The name appears in logs and tables that others read: no control
 * characters, and none that end a line or change the direction of a text.
 */
export const clientQueryIdPattern =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$';

/** Schema of a caller's own name for a run. */
export const clientQueryId = (more: { examples?: string[] } = {}) =>
  StringType({ maxLength: 200, pattern: clientQueryIdPattern, ...more });
