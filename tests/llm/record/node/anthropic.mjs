import { Anthropic } from '@posthog/ai/anthropic';
import { drain, failing, picture, question, system, weather, weatherSchema, weatherTool } from './questions.mjs';

export async function record({ posthog, url, trace }) {
  const client = new Anthropic({ apiKey: 'sk-fake', baseURL: url, posthog, maxRetries: 0 });
  const ask = (name, body) =>
    client.messages.create({
      ...{ model: 'claude-sonnet-4-5', max_tokens: 1024, system },
      ...{ posthogDistinctId: 'ada', posthogTraceId: trace(name) },
      ...body,
    });
  const { name, description } = weatherTool.function;
  const tools = [{ name, description, input_schema: weatherSchema }];
  const messages = [{ role: 'user', content: question }];

  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const called = await ask('tools', { messages, tools, thinking });
  const results = called.content
    .filter(({ type }) => type === 'tool_use')
    .map((call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: [{ type: 'text', text: weather(call.input) }],
    }));
  const answered = [...messages, { role: 'assistant', content: called.content }, { role: 'user', content: results }];
  await ask('tools', { messages: answered, tools });
  const failed = results.map((result) => ({ ...result, is_error: true, content: 'No such city' }));
  await ask('tools', { messages: [...answered.slice(0, 2), { role: 'user', content: failed }], tools });

  await drain(await ask('stream', { messages: [{ role: 'user', content: 'Hello' }], stream: true }));
  await drain(await ask('stream', { messages, tools, thinking, stream: true }));

  await failing(() => ask('errors', { model: 'fails-429', messages }));
  await failing(() => ask('errors', { model: 'fails-529', messages }));
  await failing(async () => drain(await ask('errors', { model: 'breaks-off', messages, stream: true })));

  const data = picture.slice(picture.indexOf(',') + 1);
  const look = [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    { type: 'image', source: { type: 'url', url: 'https://pictures.example/square.png' } },
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' },
      title: 'Report',
    },
    { type: 'text', text: 'What is on these?' },
  ];
  await ask('images', { messages: [{ role: 'user', content: look }] });
}
