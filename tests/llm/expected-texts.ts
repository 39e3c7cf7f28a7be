/** Texts that must stand in the text of traces whose ids match. */
interface Expectation {
  traces: RegExp;
  texts: string[];
}

const call = 'get_weather(city="Z\\u00fcrich", days=2)';
const result = 'Zürich: 21 °C, "light" rain';

/** Lines that a reader of a recorded trace looks for, by the conversation that it records (record/node, record/record-python.py). */
const expectations: Expectation[] = [
  { traces: /-(tools|chat-completions)$/, texts: [call, result] },
  { traces: /-tools$/, texts: ['Take a coat. 🌦️'] },
  {
    traces: /-(openai|openai-full|anthropic|langchain|vercel)-tools$/,
    texts: ['AVAILABLE TOOLS: 1', 'get_weather(city: string'],
  },
  { traces: /anthropic-tools$/, texts: ['[THINKING]', 'I look it up first.', 'No such city'] },
  { traces: /vercel-tools$/, texts: ['[Tool result: get_weather]', 'No such city'] },
  { traces: /(openai|anthropic)(-full)?-stream$/, texts: ['Hello', 'You said “Hello”.', '1. Grüezi', 'get_weather('] },
  { traces: /langchain-stream$/, texts: ['ChatPromptTemplate', 'You said “What is the weather in Zürich? 🌧️”.'] },
  { traces: /(vercel|agents)-stream$/, texts: [call, result] },
  { traces: /(?<!openai-agents)-errors$/, texts: ['fails-429', 'ERROR', 'The model says no: 429'] },
  { traces: /(openai|openai-full|vercel)-errors$/, texts: ['The model says no: 500'] },
  { traces: /anthropic-errors$/, texts: ['The model says no: 529'] },
  { traces: /python-(openai|anthropic)-errors$/, texts: ['breaks-off', 'You said “What is the we'] },
  { traces: /openai-agents-errors$/, texts: ['Forecaster', 'ERROR', 'Error in agent run'] },
  { traces: /(?<!vercel)-images$/, texts: ['[IMAGE]'] },
  { traces: /-images$/, texts: ['What is on', 'a red square'] },
  { traces: /(?<!vercel|agents)-images$/, texts: ['[IMAGE] https://pictures.example/square.png'] },
  { traces: /anthropic-images$/, texts: ['[FILE] Report'] },
  { traces: /(node|python)-openai(-full)?-images$/, texts: ['[FILE] report.pdf'] },
  {
    traces: /-responses$/,
    texts: ['get_weather', 'I look it up first.', 'light', 'Take a coat. 🌦️', 'The model says no: 400'],
  },
  { traces: /-responses$/, texts: ['REASONING', 'FUNCTION_CALL', call, 'FUNCTION_CALL_OUTPUT', result] },
  { traces: /-embedding$/, texts: ['[EMBED] text-embedding-3-small', 'Embedding vector generated'] },
  { traces: /langchain-failed-tool$/, texts: ['TRACE ERROR:', 'No such city'] },
  { traces: /agents-failed-tool$/, texts: ['ERROR', 'An error occurred while running the tool.'] },
  { traces: /-guardrail$/, texts: ['Careful', 'no rain', 'ERROR'] },
  { traces: /agents-tools$/, texts: ['Triage', 'Triage -> Forecaster', 'Forecaster'] },
];

/** Texts of which all must stand in the text of this trace; none: the trace is unknown. */
export const expectedTexts = (traceId: string): string[] =>
  expectations.filter(({ traces }) => traces.test(traceId)).flatMap(({ texts }) => texts);
