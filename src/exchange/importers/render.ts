import { isContainer } from '../../core/lib/json/is-container.ts';
import { toJson } from '../../evaluate/targets/reply/to-json.ts';
import { valueAtPath } from '../../core/lib/objects.ts';
import type { Fields } from './values.ts';

/** A placeholder of the plain kind: a name, perhaps with the names of members. */
const placeholder = /\{\{-?\s*([A-Za-z_$][\w$]*(?:\.[\w$]+)*)\s*-?\}\}/g;

/**
 * Fills in the plain placeholders of a Nunjucks template, as promptfoo does. Filters, statements and expressions are code
 * and are not run. Returns undefined for a template with anything else than plain placeholders of known variables.
 */
export function render(template: string, vars: Fields): string | undefined {
  let isKnown = true;
  const filled = template.replace(placeholder, (_, name: string) => {
    const value = valueOf(vars, name.replace(/^vars\./, ''));
    if (value === undefined) isKnown = false;
    return value ?? '';
  });
  const rest = template.replaceAll(placeholder, '');
  return isKnown && !/\{\{|\{%|\{#/.test(rest) ? filled : undefined;
}

/** Fills in the placeholders in all texts of a value; undefined when one of them cannot be filled in. */
export function renderDeep(value: unknown, vars: Fields): unknown {
  if (typeof value === 'string') return render(value, vars);
  if (Array.isArray(value)) {
    const items = value.map((item) => renderDeep(item, vars));
    return items.includes(undefined) ? undefined : items;
  }
  if (!isContainer(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, renderDeep(item, vars)] as const);
  return entries.some(([, item]) => item === undefined) ? undefined : Object.fromEntries(entries);
}

/** Returns the names of the variables in a template, those before the first dot. */
export function variablesIn(template: string): string[] {
  const names = Array.from(template.matchAll(placeholder), ([, name = '']) => name.replace(/^vars\./, ''));
  return [...new Set(names.map((name) => name.split('.')[0] ?? name))];
}

function valueOf(vars: Fields, path: string): string | undefined {
  const [first = ''] = path.split('.');
  if (!Object.hasOwn(vars, first)) return undefined;
  const value = valueAtPath(vars, path);
  if (value === undefined) return undefined;
  // Nunjucks writes nothing for null.
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(toJson(value));
}

/** Fills variables into variables, as promptfoo does before it fills them into a prompt. */
export function fillVars(vars: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [
      name,
      typeof value === 'string' ? (render(value, vars) ?? value) : value,
    ]),
  );
}
