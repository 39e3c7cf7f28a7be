import type { QueryError, Span } from '@millrace/query-language/query-error.ts';
import type { DeclaredVariable, VariableValue } from './variables.ts';

type Samples = readonly [VariableValue, ...VariableValue[]];
type Values = Readonly<Record<string, VariableValue>>;

/** A variable, and where in the query's text its value goes. */
export interface VariableWithSpans extends DeclaredVariable {
  readonly spans: readonly Span[];
}

/** Result of a query with some values. */
type Attempt<Result> = { result: Result } | { error: QueryError };

// Texts can be times and units of time too, and 1 fits where 0 does not, as in topK(…). A variable without a type may be anything.
const samplesOf: Readonly<Record<DeclaredVariable['type'], Samples>> = {
  String: ['', '2000-01-01', 'day'],
  Number: [1],
  Boolean: [false],
  List: [['']],
  Date: ['2000-01-01'],
  Any: ['', 1, '2000-01-01', [''], 'day'],
};

/**
 * Tries a query with values before any run: the defaults, and for what has none the likeliest of its type. The position
 * of an error decides whose value is changed next, one at a time, so that most variables take a few attempts each;
 * another is made as long as `mayTry` says so, one at least.
 * @returns the first attempt without an error, else the last that could not be bettered
 */
export function tryValues<Result>(
  variables: readonly VariableWithSpans[],
  mayTry: () => boolean,
  attempt: (values: Values) => Attempt<Result>,
): Attempt<Result> {
  let values: Values = Object.fromEntries(variables.map((variable) => [variable.name, samplesFor(variable)[0]]));
  let outcome = attempt(values);
  // A known error is no progress: otherwise two uses that need different values of one variable would alternate without end.
  const known = new Set<string>();
  while ('error' in outcome) {
    known.add(placeOf(outcome.error));
    let better: [Values, Attempt<Result>] | undefined;
    for (const changed of changesFor(outcome.error, variables, values)) {
      if (!mayTry()) break;
      const next = attempt(changed);
      if ('error' in next && known.has(placeOf(next.error))) continue;
      better = [changed, next];
      break;
    }
    if (better === undefined) break;
    [values, outcome] = better;
  }
  return outcome;
}

/** True when the error is about a guessed value: another value may fit. Pure. */
export function isAboutGuess({ position }: QueryError, variables: readonly VariableWithSpans[]): boolean {
  return variables.some(
    ({ fallback, spans }) =>
      fallback === undefined && spans.some(({ start, end }) => start <= position.start && position.end <= end),
  );
}

/** The values with one of them changed. An error away from all placeholders may be about a name that stands for any of them. */
function* changesFor(
  { position }: QueryError,
  variables: readonly VariableWithSpans[],
  values: Values,
): Generator<Values> {
  const there = variables.filter(({ spans }) =>
    spans.some(({ start, end }) => start < position.end && position.start < end),
  );
  for (const variable of there.length > 0 ? there : variables) {
    for (const sample of samplesFor(variable)) {
      if (sample !== values[variable.name]) yield { ...values, [variable.name]: sample };
    }
  }
}

const samplesFor = ({ type, fallback }: DeclaredVariable): Samples =>
  fallback === undefined ? samplesOf[type] : [fallback];
const placeOf = ({ position: { start, end } }: QueryError): string => `${start} ${end}`;
