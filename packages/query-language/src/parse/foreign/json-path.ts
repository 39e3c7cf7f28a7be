/** The beginning of a MySQL path. A property's own name hardly does. */
const root = /^\$[.[]/;
const step = /\.([A-Za-z_$][\w$]*)|\."([^"\\]*)"|\[(\d{1,9})\]/y;

/**
 * Steps of a path of MySQL, `$.items[0].name`: names, and places that count from 1. Undefined for a text that is no path, empty
 * for one that names no single value, as `$.*` does.
 */
export function stepsOfPath(text: string): (string | number)[] | undefined {
  if (!root.test(text)) return undefined;
  const steps: (string | number)[] = [];
  for (let at = 1; at < text.length; at = step.lastIndex) {
    step.lastIndex = at;
    const [, name, quotedName, place] = step.exec(text) ?? [];
    const key = name ?? quotedName ?? (place === undefined ? undefined : Number(place) + 1);
    if (key === undefined) return [];
    steps.push(key);
  }
  return steps;
}
