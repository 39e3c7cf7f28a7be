import { createOpenAI } from '@ai-sdk/openai';
import { withTracing } from '@posthog/ai/vercel';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { drain, failing, picture, question, system, weather, weatherTool } from './questions.mjs';

export async function record({ posthog, url, trace }) {
  const openai = createOpenAI({ apiKey: 'sk-fake', baseURL: `${url}/v1` });
  const model = (name, id = 'gpt-5-mini') =>
    withTracing(openai.chat(id), posthog, { posthogDistinctId: 'ada', posthogTraceId: trace(name) });
  const inputSchema = z.object({ city: z.string(), days: z.number().optional() });
  const tools = {
    get_weather: tool({ description: weatherTool.function.description, inputSchema, execute: weather }),
  };
  const failingTools = {
    get_weather: tool({
      description: 'It fails.',
      inputSchema,
      execute: () => Promise.reject(new Error('No such city')),
    }),
  };
  const steps = { system, prompt: question, stopWhen: stepCountIs(3), maxRetries: 0 };

  await generateText({ model: model('tools'), tools, ...steps });
  await generateText({ model: model('tools'), tools: failingTools, ...steps });
  const streamed = streamText({ model: model('stream'), tools, ...steps });
  await drain(streamed.textStream);
  await failing(() => generateText({ model: model('errors', 'fails-429'), prompt: question, maxRetries: 0 }));
  await failing(() => generateText({ model: model('errors', 'fails-500'), prompt: question, maxRetries: 0 }));
  const broken = streamText({
    model: model('errors', 'breaks-off'),
    prompt: question,
    maxRetries: 0,
    onError: () => {},
  });
  await failing(() => drain(broken.fullStream));
  const content = [
    { type: 'text', text: 'What is on these?' },
    { type: 'image', image: picture },
    { type: 'image', image: new URL('https://pictures.example/square.png') },
  ];
  await generateText({ model: model('images'), messages: [{ role: 'user', content }], maxRetries: 0 });
}
