/** Options of a rendering (contract/llm-surveys 5.1). Lengths are code points. */
export interface RenderOptions {
  /** Longest text; longer ones are sampled (5.9). 0: no limit. */
  readonly maxLength: number;
  /** Contents longer than this are cut in their middle, when `truncated`. */
  readonly truncateBuffer: number;
  readonly truncated: boolean;
  /** Markers that a page expands, in place of plain words. */
  readonly includeMarkers: boolean;
  /** Nodes of the tree by their summaries alone. */
  readonly collapsed: boolean;
  readonly includeHierarchy: boolean;
  readonly includeLineNumbers: boolean;
  /** More tools than this are one line. */
  readonly toolsCollapseThreshold: number;
  /** Deepest level of the tree that is shown; the roots are 0. Null: all. */
  readonly maxDepth: number | null;
}

export const defaultOptions: RenderOptions = {
  maxLength: 2_000_000,
  truncateBuffer: 1000,
  truncated: true,
  includeMarkers: true,
  collapsed: false,
  includeHierarchy: true,
  includeLineNumbers: false,
  toolsCollapseThreshold: 5,
  maxDepth: null,
};
