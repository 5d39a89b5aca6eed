import { isJson, type ReadConfig } from './config-text.ts';

/**
 * Reads the text of a YAML or JSON config. The parser that knows where settings stand takes as long to load as half of
 * Node.js, so for JSON it is loaded when something is wrong.
 */
export async function readConfigText(text: string, shown: string): Promise<ReadConfig> {
  const readWithPlaces = async (): Promise<ReadConfig> => {
    const { readYamlConfig } = await import('./read-yaml-config.ts');
    return readYamlConfig(text, shown);
  };
  const json = isJson(shown) ? readPlainJson(text) : undefined;
  if (json === undefined) return await readWithPlaces();
  return { ...json, locate: async (issue) => await (await readWithPlaces()).locate(issue) };
}

/** Undefined for what is not JSON, and for JSON with an object that has a name twice: of these, only the last would be seen. */
function readPlainJson(text: string): Pick<ReadConfig, 'written'> | undefined {
  try {
    const written: unknown = JSON.parse(text);
    return countNames(text) === countKeys(written) ? { written } : undefined;
  } catch {
    return undefined;
  }
}

/** How often a text that is JSON has a name and a colon. */
function countNames(text: string): number {
  return Array.from(text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)).filter(
    ([, colon]) => colon !== undefined,
  ).length;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, inner) => sum + countKeys(inner), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}
