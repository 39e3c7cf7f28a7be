/** The line between sections and messages (contract/llm-surveys 5.2). */
export const separator = '-'.repeat(80);
/** The line below the name of a span or a trace. */
export const rule = '='.repeat(80);
