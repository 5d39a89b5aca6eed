import { type Fields, isFields } from './part.ts';

/** A message out of the wrappers in which LangChain and logs of single messages keep it; anything else as it is. */
export function unwrapMessage(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')) {
    return { role: value[0], content: value[1] };
  }
  if (!isFields(value)) return value;
  if (value['lc'] !== undefined && isFields(value['kwargs'])) {
    return { type: classOf(value), ...value['kwargs'] };
  }
  if (value['role'] === undefined && isFields(value['data']) && 'content' in value['data']) {
    return { ...value['data'], type: value['type'] };
  }
  if (value['role'] === undefined && isFields(value['message']) && 'role' in value['message']) {
    return value['message'];
  }
  return value;
}

/** The name of the class that a serialised object is of, the last part of where it stands in its library. */
function classOf({ id }: Fields): unknown {
  return Array.isArray(id) ? id.at(-1) : undefined;
}
