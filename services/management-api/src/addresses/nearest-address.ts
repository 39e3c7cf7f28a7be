import { nearestName } from '@millrace/query-language/nearest-name.ts';

const pathLengthMax = 500;

/**
 * The address that a path without a route was probably meant to be: the route with the fewest misspelt words, where `/api`, or
 * `/api/projects/@current`, may be missing at its beginning. Undefined when there is none. Pure.
 */
export function nearestAddress(path: string, routes: readonly string[]): string | undefined {
  if (path.length > pathLengthMax) return undefined;
  const given = partsOf(path);
  const rest = given[0]?.toLowerCase() === 'api' ? given.slice(1) : given;
  const attempts = rest.length === 0 ? [] : [given, ['api', ...rest], ['api', 'projects', '@current', ...rest]];
  const known = routes.map(partsOf);
  let best: string | undefined;
  let fewest = Infinity;
  for (const parts of attempts) {
    for (const route of known) {
      const misspelt = misspeltWords(parts, route);
      if (misspelt >= fewest) continue;
      fewest = misspelt;
      best = `/${route.map((word, at) => (word.startsWith(':') ? parts[at] : word)).join('/')}`;
    }
  }
  return best;
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Count of a route's fixed words that are misspelt in these parts; Infinity when it is another route. */
function misspeltWords(parts: readonly string[], route: readonly string[]): number {
  if (parts.length !== route.length) return Infinity;
  let misspelt = 0;
  for (const [at, word] of route.entries()) {
    const part = parts[at] ?? '';
    if (word.startsWith(':') || word.toLowerCase() === part.toLowerCase()) continue;
    if (nearestName(part, [word]) === undefined) return Infinity;
    misspelt += 1;
  }
  return misspelt;
}
