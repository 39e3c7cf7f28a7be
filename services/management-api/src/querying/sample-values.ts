import type { DeclaredVariable, VariableValue } from './variables.ts';

type Samples = readonly [VariableValue, ...VariableValue[]];

// Texts also stand for times and for units of time; what has no type may be anything.
const samplesOf: Readonly<Record<DeclaredVariable['type'], Samples>> = {
  String: ['', '2000-01-01', 'day'],
  Number: [0],
  Boolean: [false],
  List: [['']],
  Date: ['2000-01-01'],
  Any: ['', 0, '2000-01-01', [''], 'day'],
};

/**
 * Values by name to try a query with before any run, the likeliest first: the default, else some of the variable's type. At most
 * `max` sets of them, of all that can be put together. Pure.
 */
export function* sampleValues(declared: readonly DeclaredVariable[], max: number): Generator<Record<string, VariableValue>> {
  const choices = declared.map(({ name, type, fallback }) => ({ name, values: fallback === undefined ? samplesOf[type] : ([fallback] satisfies Samples) }));
  const count = choices.reduce((product, { values }) => Math.min(product * values.length, max), 1);
  for (let number = 0; number < count; number++) {
    let rest = number;
    const chosen = choices.map(({ name, values }): [string, VariableValue] => {
      const value = values[rest % values.length] ?? values[0];
      rest = Math.floor(rest / values.length);
      return [name, value];
    });
    yield Object.fromEntries(chosen);
  }
}
