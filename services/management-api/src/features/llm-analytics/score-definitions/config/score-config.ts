/** Kinds of scores. */
export const scoreKinds = ['categorical', 'numeric', 'boolean'] as const;
export type ScoreKind = (typeof scoreKinds)[number];

/** An option that reviewers may choose. Its key is in lower case. */
export interface CategoricalOption {
  key: string;
  label: string;
}

/** Config of a categorical scorer. Fields that the caller left out are not there (contract/llm-surveys 3.2). */
export interface CategoricalConfig {
  options: CategoricalOption[];
  /** Missing: `single`. */
  selection_mode?: 'single' | 'multiple';
  min_selections?: number | null;
  max_selections?: number | null;
  /** Null or missing: scores neither pass nor fail. */
  passing_rule?: { categories: string[] } | null;
}

export interface NumericConfig {
  min?: number | null;
  max?: number | null;
  /** Scores are `min`, or 0 where there is none, and a whole number of steps. */
  step?: number | null;
  passing_rule?: { operator: 'gte' | 'lte'; threshold: number } | null;
}

export interface BooleanConfig {
  true_is_failure?: boolean | null;
  true_label?: string;
  false_label?: string;
}

export type ScoreConfig = CategoricalConfig | NumericConfig | BooleanConfig;
