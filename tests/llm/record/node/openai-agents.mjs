import { Agent, OpenAIProvider, Runner, setTraceProcessors, tool } from '@openai/agents';
import { PostHogTracingProcessor } from '@posthog/ai/openai-agents';
import { z } from 'zod';
import { failing, picture, question, system, weather, weatherTool } from './questions.mjs';

export async function record({ posthog, url, trace }) {
  setTraceProcessors([new PostHogTracingProcessor({ client: posthog, distinctId: 'ada' })]);
  const provider = (useResponses) => new OpenAIProvider({ apiKey: 'sk-fake', baseURL: `${url}/v1`, useResponses });
  const runner = (name, { model = 'gpt-5-mini', useResponses = true } = {}) =>
    new Runner({
      modelProvider: provider(useResponses),
      model,
      traceId: trace(name),
      workflowName: name,
      groupId: 'chat-1',
    });
  const getWeather = tool({
    name: 'get_weather',
    description: weatherTool.function.description,
    parameters: z.object({ city: z.string(), days: z.number() }),
    execute: weather,
  });
  const forecaster = new Agent({ name: 'Forecaster', instructions: system, tools: [getWeather] });
  const triage = Agent.create({ name: 'Triage', instructions: 'Hand over.', handoffs: [forecaster] });

  await runner('tools').run(triage, question);
  await runner('chat-completions', { useResponses: false }).run(forecaster, question);
  const streamed = await runner('stream').run(forecaster, question, { stream: true });
  await streamed.completed;
  await failing(() => runner('errors', { model: 'fails-500' }).run(forecaster, question));
  const fragile = tool({
    name: 'get_weather',
    description: 'It fails.',
    parameters: z.object({ city: z.string() }),
    execute: () => Promise.reject(new Error('No such city')),
  });
  await runner('failed-tool').run(new Agent({ name: 'Forecaster', instructions: system, tools: [fragile] }), question);
  const guard = {
    name: 'no rain',
    execute: async () => ({ tripwireTriggered: true, outputInfo: { reason: 'rain' } }),
  };
  await failing(() => runner('guardrail').run(new Agent({ name: 'Careful', inputGuardrails: [guard] }), question));
  const content = [
    { type: 'input_text', text: 'What is on it?' },
    { type: 'input_image', image: picture },
  ];
  await runner('images').run(new Agent({ name: 'Eye' }), [{ role: 'user', content }]);
}
