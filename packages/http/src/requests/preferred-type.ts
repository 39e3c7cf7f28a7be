/**
 * Chooses the media type of a reply that an `Accept` header (absent: anything) prefers (RFC 9110 12.5.1): the most
 * exact range that fits a type gives its weight, and of equals the first wins. Undefined: it accepts none of them.
 * Pure.
 */
export function preferredType(accept: string | undefined, types: readonly string[]): string | undefined {
  if (accept === undefined || accept.trim() === '') return types[0];
  const weights = new Map(accept.split(',').map(rangeOf));
  const weightOf = (type: string): number =>
    weights.get(type) ?? weights.get(type.replace(/\/.*/, '/*')) ?? weights.get('*/*') ?? 0;
  const best = Math.max(...types.map(weightOf));
  return best > 0 ? types.find((type) => weightOf(type) === best) : undefined;
}

function rangeOf(text: string): [range: string, weight: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  return [range, weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1)) || 0];
}
