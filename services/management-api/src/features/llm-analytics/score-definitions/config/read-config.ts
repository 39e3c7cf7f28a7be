import { booleanFields, readBooleanConfig } from './boolean-config.ts';
import { categoricalFields, readCategoricalConfig } from './categorical-config.ts';
import { refuseOthers } from './config-fields.ts';
import { numericFields, readNumericConfig } from './numeric-config.ts';
import type { ScoreConfig, ScoreKind } from './score-config.ts';

const readers: Readonly<
  Record<ScoreKind, { fields: readonly string[]; read: (object: Record<string, unknown>) => ScoreConfig }>
> = {
  categorical: { fields: categoricalFields, read: readCategoricalConfig },
  numeric: { fields: numericFields, read: readNumericConfig },
  boolean: { fields: booleanFields, read: readBooleanConfig },
};

/**
 * The config of a scorer as it is stored: only fields that the caller sent, in the order of the contract, texts trimmed, keys in
 * lower case (contract/llm-surveys 3.2). Pure.
 * @throws {AppError} 400 about the first field that is wrong, `config__…`
 */
export function readScoreConfig(kind: ScoreKind, config: Record<string, unknown>): ScoreConfig {
  const { fields, read } = readers[kind];
  refuseOthers(['config'], config, { allowed: fields, sentence: `Unsupported keys for \`kind\` \`${kind}\`` });
  return read(config);
}
