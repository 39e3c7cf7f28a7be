import { OpenAI } from '@posthog/ai/openai';
import { drain, failing, picture, question, system, weather, weatherSchema, weatherTool } from './questions.mjs';

export async function record({ posthog, url, trace }) {
  const client = new OpenAI({ apiKey: 'sk-fake', baseURL: `${url}/v1`, posthog, maxRetries: 0 });
  const chat = (name, body) =>
    client.chat.completions.create({
      model: 'gpt-5-mini',
      posthogDistinctId: 'ada',
      posthogTraceId: trace(name),
      ...body,
    });
  const respond = (name, body) =>
    client.responses.create({ model: 'gpt-5-mini', posthogDistinctId: 'ada', posthogTraceId: trace(name), ...body });

  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ];
  const called = await chat('tools', { messages, tools: [weatherTool], temperature: 0.2 });
  const [{ message }] = called.choices;
  const results = message.tool_calls.map((call) => ({
    role: 'tool',
    tool_call_id: call.id,
    content: weather(JSON.parse(call.function.arguments)),
  }));
  await chat('tools', { messages: [...messages, message, ...results], tools: [weatherTool] });

  await drain(await chat('stream', { messages: [{ role: 'user', content: 'Hello' }], stream: true }));
  await drain(await chat('stream', { messages, tools: [weatherTool], stream: true }));

  await failing(() => chat('errors', { model: 'fails-429', messages }));
  await failing(() => chat('errors', { model: 'fails-500', messages }));
  await failing(async () => drain(await chat('errors', { model: 'breaks-off', messages, stream: true })));

  const look = [
    { type: 'text', text: 'What is on these?' },
    { type: 'image_url', image_url: { url: picture } },
    { type: 'image_url', image_url: { url: 'https://pictures.example/square.png', detail: 'low' } },
  ];
  await chat('images', { messages: [{ role: 'user', content: look }] });
  await respond('images', {
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'And this?' },
          { type: 'input_image', image_url: picture },
          { type: 'input_file', filename: 'report.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjQK' },
        ],
      },
    ],
  });

  const tool = {
    type: 'function',
    name: 'get_weather',
    description: weatherTool.function.description,
    parameters: weatherSchema,
  };
  const asked = { role: 'user', content: question };
  const thinking = { instructions: system, tools: [tool], reasoning: { effort: 'low', summary: 'auto' } };
  const first = await respond('responses', { ...thinking, input: [asked] });
  const outputs = first.output
    .filter(({ type }) => type === 'function_call')
    .map((call) => ({
      type: 'function_call_output',
      call_id: call.call_id,
      output: weather(JSON.parse(call.arguments)),
    }));
  await respond('responses', { ...thinking, input: [asked, ...first.output, ...outputs] });
  await drain(await respond('responses', { ...thinking, input: question, stream: true }));
  await failing(() => respond('responses', { model: 'fails-400', input: question }));

  await client.embeddings.create({
    ...{ model: 'text-embedding-3-small', input: ['Zürich', 'rain'] },
    ...{ posthogDistinctId: 'ada', posthogTraceId: trace('embedding') },
  });
}
