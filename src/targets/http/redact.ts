import type { Json } from '../../schema/json.ts';
import { TargetFailure } from '../target.ts';

/** Replaces the values of environment variables by their names in all that is kept or shown. */
export interface Redactor {
  text(text: string): string;
  json(value: Json): Json;
  failure(thrown: unknown): unknown;
}

const secretNames = /key|token|secret|password|auth|credential/i;
const minCharacters = 8;

/**
 * Makes a redactor. A short value of a variable that is not named like a secret, such as a port or the name of a
 * model, is left alone: replacing it would garble answers that have nothing to do with it.
 */
export function createRedactor(variables: ReadonlyMap<string, string>): Redactor {
  const secrets = [...variables]
    .filter(([name, value]) => value.length >= minCharacters || secretNames.test(name))
    .flatMap(([name, value]) => writtenForms(value).map((form) => ({ form, name })))
    .sort((a, b) => b.form.length - a.form.length);
  const text = (given: string) =>
    secrets.reduce((left, { form, name }) => left.replaceAll(form, `[${name}]`), given);
  if (secrets.length === 0) return { text, json: (value) => value, failure: (thrown) => thrown };
  return {
    text,
    json: (value) => redactJson(value, text),
    failure: (thrown) => redactFailure(thrown, text),
  };
}

/** A value as it is, as it stands in JSON and as it stands in a URL. */
function writtenForms(value: string): string[] {
  const wellFormed = value.toWellFormed();
  return [...new Set([wellFormed, JSON.stringify(wellFormed).slice(1, -1), encodeURIComponent(wellFormed)])];
}

function redactJson(value: Json, text: (given: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => redactJson(item, text));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [text(key), redactJson(member, text)]),
  );
}

function redactFailure(thrown: unknown, text: (given: string) => string): unknown {
  if (!(thrown instanceof TargetFailure)) return thrown;
  const { message, logs } = thrown;
  return thrown.with({ message: text(message), logs: logs && text(logs), cause: undefined });
}
