import { TouchstoneError } from '../../errors.ts';
import { nearestName } from '../../lib/nearest-name.ts';
import { valueAtPath } from '../../lib/value-at-path.ts';
import type { Json } from '../../schema/json.ts';
import type { Message } from '../../schema/message.ts';
import { TargetFailure, type TargetRequest } from '../target.ts';
import type { Resolve } from './template.ts';

const ofRequest: Readonly<Record<string, (request: TargetRequest) => Json>> = {
  input: ({ input }) => input,
  messages: ({ messages }) => messages as Message[],
  'session.id': ({ session }) => session.id,
  'session.turn': ({ session }) => session.turn,
  caseId: ({ caseId }) => caseId,
  key: ({ key }) => key,
  attempt: ({ attempt }) => attempt,
  seed: ({ seed }) => seed,
};
const requestNames = Object.keys(ofRequest);
const knownNames = [...requestNames, 'metadata.NAME', 'env.NAME'];

/** The variable that a placeholder takes from the environment; undefined for other placeholders. */
export function environmentName(placeholder: string): string | undefined {
  return placeholder.startsWith('env.') ? placeholder.slice('env.'.length) : undefined;
}

/** Throws `target-invalid` for a placeholder that does not exist. */
export function checkPlaceholder(name: string, setting: string): void {
  if (/^(metadata|env)\../.test(name) || requestNames.includes(name)) return;
  const nearest = nearestName(name, requestNames);
  const hint = nearest === undefined ? '' : ` Did you mean {{${nearest}}}?`;
  throw new TouchstoneError(
    'target-invalid',
    `\`${setting}\` holds the unknown placeholder {{${name}}}.${hint}`,
    {
      remedy: `Use one of ${knownNames.map((known) => `{{${known}}}`).join(', ')}.`,
    },
  );
}

/**
 * The values of the environment variables that placeholders name. Throws `environment-missing` naming all that are
 * not set.
 */
export function readVariables(
  placeholders: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Map<string, string> {
  const names = new Set(placeholders.map(environmentName).filter((name) => name !== undefined));
  const missing = [...names].filter((name) => !environment[name]);
  if (missing.length > 0) {
    const [are, it] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
    throw new TouchstoneError(
      'environment-missing',
      `The target needs ${missing.join(', ')}, which ${are} not set in the environment.`,
      { remedy: `Set ${it} and run again.` },
    );
  }
  return new Map(Array.from(names, (name) => [name, environment[name] ?? '']));
}

/** Gives the values of placeholders for one question. */
export function createResolve(request: TargetRequest, variables: ReadonlyMap<string, string>): Resolve {
  return (name) => {
    const variable = environmentName(name);
    if (variable !== undefined) return variables.get(variable) ?? '';
    if (name.startsWith('metadata.')) return readMetadata(request, name.slice('metadata.'.length));
    return ofRequest[name]?.(request) ?? null;
  };
}

function readMetadata({ metadata, caseId }: TargetRequest, path: string): Json {
  const value = valueAtPath(metadata, path);
  if (value !== undefined) return value as Json;
  throw new TargetFailure(
    'metadata-missing',
    `The case ${caseId} has no metadata \`${path}\`, which the request needs.`,
  );
}
