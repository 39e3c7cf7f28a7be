/** True when an `Accept` header (absent: anything) lets a JSON reply pass (RFC 9110 12.5.1): the most exact range that fits decides. Pure. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const weights = new Map(accept.split(',').map(rangeOf));
  return (weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0) > 0;
}

function rangeOf(text: string): [range: string, weight: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  return [range, weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1)) || 0];
}
