import type { Answer, Json, OfferedTool, Question, ToolCall } from './question.ts';

let calls = 0;

/**
 * The same answer to the same question. It calls the first tool that was not called since the user spoke, all of them when the user
 * says `at once`; with no tool left it answers in words.
 */
export function answerQuestion(question: Question): Answer {
  const open = question.tools.filter(({ name }) => !question.called.includes(name));
  const chosen = question.text.includes('at once') ? open : open.slice(0, 1);
  return {
    thoughts: question.thinks ? 'The user asks for something. I look it up first.' : null,
    text: chosen.length > 0 ? null : inWords(question),
    calls: chosen.map(callOf),
    usage: { input: 20 + question.text.length, output: 12 },
  };
}

function inWords({ text, pictures, results }: Question): string {
  if (results.length > 0) return `Going by this: ${results.join(' | ')}\n\nTake a coat. 🌦️`;
  if (pictures > 0) return `I see ${pictures} picture(s): a red square.`;
  return `You said “${text}”.\n\n1. Grüezi\n2. Adieu`;
}

function callOf({ name, schema }: OfferedTool): ToolCall {
  calls += 1;
  return { id: `call_${calls}`, name, arguments: argumentsFor(schema) };
}

const samples: Json = { city: 'Zürich', days: 2, query: 'rain', order_id: 'A-17' };

function argumentsFor(schema: Json): Json {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  return Object.fromEntries(properties.map(([name, { type }]) => [name, samples[name] ?? sampleOf(type)]));
}

function sampleOf(type: unknown): unknown {
  if (type === 'number' || type === 'integer') return 2;
  if (type === 'boolean') return true;
  return type === 'array' ? [] : 'text';
}
