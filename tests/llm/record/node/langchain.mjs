import { HumanMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { LangChainCallbackHandler } from '@posthog/ai/langchain';
import { z } from 'zod';
import { drain, failing, picture, question, system, weather, weatherTool } from './questions.mjs';

export async function record({ posthog, url, trace }) {
  const model = (id = 'gpt-5-mini') =>
    new ChatOpenAI({ model: id, apiKey: 'sk-fake', maxRetries: 0, configuration: { baseURL: `${url}/v1` } });
  const traced = (name) => ({
    callbacks: [new LangChainCallbackHandler({ client: posthog, distinctId: 'ada', traceId: trace(name) })],
  });
  const getWeather = tool(weather, {
    name: 'get_weather',
    description: weatherTool.function.description,
    schema: z.object({ city: z.string(), days: z.number().optional() }),
  });
  const prompt = ChatPromptTemplate.fromMessages([
    ['system', system],
    ['user', '{question}'],
  ]);

  const agent = RunnableLambda.from(async ({ question: text }, config) => {
    const messages = [new HumanMessage(text)];
    const withTools = model().bindTools([getWeather]);
    const called = await withTools.invoke(messages, config);
    const results = await Promise.all(called.tool_calls.map((call) => getWeather.invoke(call, config)));
    return withTools.invoke([...messages, called, ...results], config);
  }).withConfig({ runName: 'weather agent' });
  await agent.invoke({ question }, traced('tools'));

  const chain = prompt.pipe(model()).pipe(new StringOutputParser());
  await drain(await chain.stream({ question }, traced('stream')));

  await failing(() => prompt.pipe(model('fails-429')).invoke({ question }, traced('errors')));
  const broken = RunnableLambda.from(async (_, config) =>
    tool(() => Promise.reject(new Error('No such city')), { name: 'get_weather', schema: z.object({}) }).invoke(
      {},
      config,
    ),
  );
  await failing(() => broken.invoke({ question }, traced('failed-tool')));

  const content = [
    { type: 'text', text: 'What is on these?' },
    { type: 'image_url', image_url: { url: picture } },
    { type: 'image_url', image_url: { url: 'https://pictures.example/square.png' } },
  ];
  await model().invoke([new HumanMessage({ content })], traced('images'));
}
