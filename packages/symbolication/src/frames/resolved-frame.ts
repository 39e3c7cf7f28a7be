import type { JsonObject } from './raw-frame.ts';
import type { SourceContext } from './source-context.ts';
import type { SymbolReference } from './symbol-reference.ts';

/** A frame as it is stored with its event; members that are not known are left out (contract/orgs-errors 3.1). */
export interface ResolvedFrame {
  raw_id: string;
  /** The function's name as sent. */
  mangled_name: string;
  /** From 1. */
  line?: number;
  /** From 0 where a map gave it, else as sent. */
  column?: number;
  source?: string;
  module?: string;
  in_app: boolean;
  resolved_name?: string;
  lang: string;
  resolved: boolean;
  resolve_failure?: string;
  synthetic: boolean;
  /** It belongs to an SDK. */
  suspicious: boolean;
  code_variables?: unknown;
}

/** A frame for the table of frames: with the lines around it, and as it was sent. */
export interface FrameRecord {
  hash: string;
  part: number;
  /** Without values of variables, which are those of one event: a record stands for all that have the frame. */
  contents: Omit<ResolvedFrame, 'code_variables'> & { junk_drawer: { raw_frame: JsonObject } };
  /** Read anew each time. */
  readonly context: SourceContext | null;
  /** The symbols that it was resolved by, or looked for in; null: it needs none, or names none. */
  reference: SymbolReference | null;
}

/** A frame that is resolved, or said not to be. */
export interface FrameOutcome {
  frame: ResolvedFrame;
  /** Null for a frame that names its own id: it must not replace the record of another. */
  record: FrameRecord | null;
}
