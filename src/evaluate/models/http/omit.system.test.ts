import { describe, expect, test } from 'vitest';
import {
  ask,
  createAt,
  failureOf,
  type HttpKind,
  httpKinds,
  serve,
  weatherTool,
} from '../../../../test/support/model-harness.ts';

const parameters = {
  temperature: 0.5,
  topP: 0.9,
  seed: 7,
  stop: ['END'],
  maxTokens: 99,
  toolChoice: 'none',
} as const;
type Parameter = keyof typeof parameters;

/** The place of each parameter in the body of a request; undefined where the API has none. */
const places: Record<HttpKind, Readonly<Partial<Record<Parameter, string>>>> = {
  'openai-chat': {
    temperature: 'temperature',
    topP: 'top_p',
    seed: 'seed',
    stop: 'stop',
    maxTokens: 'max_tokens',
    toolChoice: 'tool_choice',
  },
  'openai-responses': {
    temperature: 'temperature',
    topP: 'top_p',
    maxTokens: 'max_output_tokens',
    toolChoice: 'tool_choice',
  },
  anthropic: { temperature: 'temperature', topP: 'top_p', stop: 'stop_sequences', toolChoice: 'tool_choice' },
  gemini: {
    temperature: 'generationConfig.temperature',
    topP: 'generationConfig.topP',
    seed: 'generationConfig.seed',
    stop: 'generationConfig.stopSequences',
    maxTokens: 'generationConfig.maxOutputTokens',
    toolChoice: 'toolConfig',
  },
};

const cases = httpKinds.flatMap((kind) =>
  Object.entries(places[kind]).map(([name, place]) => ({ kind, name: name as Parameter, place })),
);

/** Returns the places of a body that are no objects of parameters. */
function placesIn(body: object): string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    name === 'generationConfig' ? Object.keys(value as object).map((inner) => `${name}.${inner}`) : [name],
  );
}

describe.each(cases)('$kind, $name', ({ kind, name, place }) => {
  test('is sent without `omit`, and with it is all that is left out of what a caller sets', async () => {
    const server = await serve('yes');
    const request = { ...parameters, tools: [weatherTool] };
    await ask(createAt(kind, server.url), request);
    await ask(createAt(kind, server.url, { omit: [name] }), request);
    const [all, some] = server.requests.map(({ body }) => placesIn(body as object));
    expect(all).toContain(place);
    expect(some).toEqual(all?.filter((each) => each !== place));
  });

  test('that is refused is answered with the setting that leaves it out', async () => {
    const word = place.split('.').at(-1);
    const message = `Unsupported parameter: '${word}' is not supported with this model.`;
    const body = JSON.stringify({ error: { message } });
    const server = await serve({ fault: 'error', status: 400, body });
    const failure = await failureOf(ask(createAt(kind, server.url)));
    expect(failure.message).toContain(message.slice(0, -1));
    expect(failure.message).toContain(`write \`omit: [${name}]\` in the settings of the model.`);
  });
});
