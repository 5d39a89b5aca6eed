/** Takes secrets out of what is kept or shown. */
export interface SecretRedactor {
  text(text: string): string;
  /** A copy of a JSON value. */
  json<Value>(value: Value): Value;
}

const secretNames = /key|token|secret|password|passwd|auth|credential|cookie/i;

/** Whether a header, a query parameter or a variable of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

/**
 * Makes a redactor that replaces each secret by its name in brackets, in whichever form it stands: as it is, inside
 * JSON or inside a URL.
 */
export function createSecretRedactor(
  secrets: Iterable<readonly [name: string, value: string]>,
): SecretRedactor {
  const names = new Map<string, string>();
  for (const [name, value] of secrets) {
    for (const form of writtenForms(value)) if (form !== '' && !names.has(form)) names.set(form, name);
  }
  if (names.size === 0) return { text: (given) => given, json: (value) => value };
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(escapePattern).join('|'), 'g');
  const text = (given: string) => given.replaceAll(pattern, (form) => `[${names.get(form) ?? 'secret'}]`);
  return { text, json: <Value>(value: Value) => redactJson(value, text) as Value };
}

function writtenForms(value: string): Set<string> {
  const wellFormed = value.toWellFormed();
  return new Set([wellFormed, JSON.stringify(wellFormed).slice(1, -1), encodeURIComponent(wellFormed)]);
}

function redactJson(value: unknown, text: (given: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => redactJson(item, text));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [text(key), redactJson(member, text)]),
  );
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
