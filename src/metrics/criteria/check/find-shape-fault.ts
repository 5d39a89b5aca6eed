const subjects = ['path', 'messages', 'calls'] as const;
const joints = ['all', 'any', 'not', 'when'] as const;

/** The comparisons that a condition can make. */
export const comparisons = [
  'equals',
  'matches',
  'oneOf',
  'contains',
  'regex',
  'exists',
  'truthy',
  'atLeast',
  'atMost',
  'more',
  'less',
  'length',
  'longerThan',
] as const;
export type Comparison = (typeof comparisons)[number];

/** What makes a condition no condition, though each of its parts may be right; undefined when it is one. */
export function findShapeFault(condition: Readonly<Record<string, unknown>>): string | undefined {
  const has = (part: string) => condition[part] !== undefined;
  const [kind, other] = [...subjects, ...joints].filter(has);
  if (kind === undefined) {
    return 'needs something to look at: `path`, `messages` or `calls`; or `all`, `any`, `not`, `when`';
  }
  if (other !== undefined) {
    return `has both \`${kind}\` and \`${other}\`; join two conditions with \`all\` or \`any\``;
  }
  return findBranchFault(has) ?? findStrayPart(kind, has);
}

type Has = (part: string) => boolean;

function findBranchFault(has: Has): string | undefined {
  if (has('when') !== has('must')) return '`when` and `must` go together';
  return has('otherwise') && !has('when') ? '`otherwise` goes with `when` and `must`' : undefined;
}

function findStrayPart(kind: string, has: Has): string | undefined {
  const isListed = kind === 'messages' || kind === 'calls';
  if (!isListed && (has('which') || has('at'))) return '`which` and `at` go with `messages` or `calls`';
  const compared = comparisons.find(has);
  if (compared !== undefined && joints.some((joint) => joint === kind)) {
    return `\`${compared}\` needs a \`path\`, \`messages\` or \`calls\` to look at`;
  }
  const isByValue = ['equals', 'matches', 'contains'].some(has);
  if (isByValue || !(has('as') || has('tolerance'))) return undefined;
  return '`as` and `tolerance` go with `equals`, `matches` or `contains`';
}
