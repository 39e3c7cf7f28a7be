// The same conversations for all wrappers.

export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Name of the city.' }, days: { type: 'integer' } },
  required: ['city'],
};

export const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather of a city. It knows no history.',
    parameters: weatherSchema,
  },
};

export const weather = ({ city }) => `${city}: 21 °C, "light" rain`;

export const system = 'You are a helpful assistant.\nAnswer in one sentence.';
export const question = 'What is the weather in Zürich? 🌧️';

/** A red square. */
export const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** The error that a call is expected to end with. */
export async function failing(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error('the call was expected to fail');
}

export async function drain(stream) {
  for await (const _ of stream);
}
