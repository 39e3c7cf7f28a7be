import { SpanError } from '../query-error.ts';
import type { Resolved } from '../resolved.ts';
import type { Call } from '../tree/expressions.ts';
import type { FunctionSignature } from './function-signature.ts';

/** Functions of maps, with what they are of a JSON object: `$1` is the object, `$2` the key. */
const ofObjects: Readonly<Record<string, string>> = {
  mapContains: 'JSONHas($1, $2)',
  mapKeys: 'JSONExtractKeys($1)',
  mapValues: "mapValues(JSONExtract($1, 'Map(String, String)'))",
};

/** Refuses a JSON object, which is a text here, where the engine wants a map. Throws `SpanError`. */
export function refuseJsonObject({ clickhouse }: FunctionSignature, args: readonly Resolved[], node: Call): void {
  const instead = Object.hasOwn(ofObjects, clickhouse) ? ofObjects[clickhouse] : undefined;
  if (instead === undefined || args[0]?.type.kind !== 'text') return;
  const saying = (written: string): string =>
    instead.replace(/\$([12])/g, (_, place) => {
      const arg = args[Number(place) - 1];
      return arg ? written.slice(arg.start - node.start, arg.end - node.start) : '…';
    });
  throw new SpanError('type_mismatch', `${node.name}() takes a map, found the text of a JSON object`, node, {
    saying,
    fallback: instead.replace('$1', 'properties').replace('$2', 'key'),
  });
}
