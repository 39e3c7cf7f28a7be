/** A tool that a request offers. */
export interface OfferedTool {
  name: string;
  /** Its parameters as JSON Schema. */
  schema: Json;
}

/** A request to the model, by whichever of the three interfaces it came. */
export interface Question {
  model: string;
  stream: boolean;
  /** Text of the last message of the user. */
  text: string;
  /** Pictures in that message. */
  pictures: number;
  tools: OfferedTool[];
  /** Names of the tools that were called since that message. */
  called: string[];
  /** Results of those calls, as texts. */
  results: string[];
  /** Whether the request asks for thoughts. */
  thinks: boolean;
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: Json;
}

/** The words of the model, before an interface gives it its form. */
export interface Answer {
  thoughts: string | null;
  text: string | null;
  calls: ToolCall[];
  usage: { input: number; output: number };
}

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list; none when it is no list. */
export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A field as text; other values as JSON, absent ones as nothing. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
