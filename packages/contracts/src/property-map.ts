// The column `properties` holds an event's or a person's properties by name, as text. Consumer and query language must
// agree about the values that it omits: those are read from the whole text.

/** Most keys of one event that enter the map. */
export const mapKeysMax = 1_000;

/** Longest key or value in the map, in bytes of UTF-8. */
export const mapValueBytesMax = 8_192;

/** Large payloads of language models, which never enter the map. */
export const textOnlyNames: readonly string[] = [
  '$ai_input',
  '$ai_output',
  '$ai_output_choices',
  '$ai_input_state',
  '$ai_output_state',
];
