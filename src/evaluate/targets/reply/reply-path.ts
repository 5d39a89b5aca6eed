import { compile, JSONPathError, type JSONPathNode, type JSONPathQuery } from 'json-p3';
import { z } from 'zod';
import { messageOf } from '../../../core/errors.ts';
import { getOrCreate, pathSteps, stepInto } from '../../../core/lib/objects.ts';
import { TargetFailure } from '../target.ts';

/** A path into a reply: of RFC 9535 where it begins with `$`, else steps such as `a.b[0]`, with `[*]` for every item. */
export interface ReplyPath {
  /** The members of the reply into which it leads; none where that depends on the reply. */
  readonly members: readonly string[];
  /** Returns the value there, or the list of values where there may be several; undefined when there is nothing. */
  find(value: unknown): unknown;
  /** Returns the same, with several texts as one. */
  findText(value: unknown): unknown;
}

const paths = new Map<string, ReplyPath>();

/** Returns a path that is compiled once. Throws `JSONPathError` for one that is not valid. */
export function replyPath(text: string): ReplyPath {
  return getOrCreate(paths, text, () => (isQuery(text) ? queryPath(compile(text)) : stepsPath(text)));
}

/** Returns whether a path is of RFC 9535. A name may begin with `$`, too: `$type`. */
function isQuery(text: string): boolean {
  return /^\$(?:[.[]|$)/.test(text);
}

/** Returns whether a path has found something: not nothing, no list without items, not `false`. */
export function isThere(found: unknown): boolean {
  return found !== undefined && found !== null && found !== false && !isEmptyList(found);
}

/** Returns whether a path has found a list without items. */
export function isEmptyList(found: unknown): boolean {
  return Array.isArray(found) && found.length === 0;
}

/** A path into a reply, as an option. */
export const replyPathOption: z.ZodType<string, string> = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const issue = issueOf(text);
    if (issue !== undefined) context.addIssue({ code: 'custom', message: issue });
  });

function issueOf(text: string): string | undefined {
  try {
    if (isQuery(text)) compile(text);
    else if (pathSteps(text).length === 0) return 'must be a path such as `data.answer` or `steps[*].tool`';
    return undefined;
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    // The message ends in the path and its column, which are written in plain words here.
    const what = messageOf(error).replace(/ \('.*'?:\d+\)$/s, '');
    return `is not a path of RFC 9535: ${what}, at column ${error.token.index + 1} of \`${text}\``;
  }
}

function stepsPath(text: string): ReplyPath {
  const steps = pathSteps(text);
  const find = (value: unknown) => followSteps(value, steps);
  return { members: steps.slice(0, 1), find, findText: (value) => joinLines(find(value)) };
}

/**
 * Follows the steps of a path. `*` steps into every item of a list; the values found form one list, without the items
 * that lack them.
 */
function followSteps(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (step !== '*' || !Array.isArray(value)) return followSteps(stepInto(value, step), rest);
  return value.flatMap((item) => followSteps(item, rest) ?? []);
}

/** Joins a list of texts, one below the other. Anything else is returned as it is. */
function joinLines(found: unknown): unknown {
  const isTexts = Array.isArray(found) && found.every((item) => typeof item === 'string');
  return isTexts ? found.join('\n') : found;
}

function queryPath(query: JSONPathQuery): ReplyPath {
  const isSingular = query.singularQuery();
  const place = placeOf(query);
  const nodesIn = (value: unknown) => runQuery(query, value);
  const [, name, , quoted] =
    /^\$(?:\.([\p{L}_][\p{L}\p{N}_]*)|\[(['"])(.*?)\2\])/u.exec(query.toString()) ?? [];
  const member = name ?? quoted;
  return {
    members: member === undefined ? [] : [member],
    find: (value) => {
      const nodes = nodesIn(value);
      if (isSingular) return nodes[0]?.value;
      // A list without such items says that there are none; a place that is missing says nothing.
      return nodes.length > 0 || runQuery(place, value).length > 0
        ? nodes.map((node) => node.value)
        : undefined;
    },
    findText: (value) => {
      const nodes = nodesIn(value);
      const [first] = nodes;
      if (nodes.length > 1 && nodes.every((node) => typeof node.value === 'string')) return joinBlocks(nodes);
      return nodes.length > 1 ? nodes.map((node) => node.value) : joinLines(first?.value);
    },
  };
}

/** Returns the place up to which a query leads to one value: the list of which it picks items. */
function placeOf({ segments }: JSONPathQuery): JSONPathQuery {
  let place = compile('$');
  for (let count = 1; count <= segments.length; count += 1) {
    const longer = compile(`$${segments.slice(0, count).map(String).join('')}`);
    if (!longer.singularQuery()) break;
    place = longer;
  }
  return place;
}

function runQuery(query: JSONPathQuery, value: unknown): readonly JSONPathNode[] {
  try {
    return query.query(value as Parameters<JSONPathQuery['query']>[0]).nodes;
  } catch (error) {
    if (!(error instanceof JSONPathError || error instanceof RangeError)) throw error;
    throw new TargetFailure('invalid-reply', `The reply is nested too deeply for \`${query.toString()}\`.`);
  }
}

/** Joins the texts of blocks: texts of one message without anything between them, texts of several a line each. */
function joinBlocks(nodes: readonly JSONPathNode[]): string {
  let text = '';
  let last: string | undefined;
  for (const { location, value } of nodes) {
    const message = messageOfBlock(location);
    text += last === undefined || last === message ? String(value) : `\n${String(value)}`;
    last = message;
  }
  return text;
}

/** Returns the place of the list that a block is an item of. */
function messageOfBlock(location: readonly (string | number)[]): string {
  return JSON.stringify(
    location.slice(
      0,
      location.findLastIndex((step) => typeof step === 'number'),
    ),
  );
}
