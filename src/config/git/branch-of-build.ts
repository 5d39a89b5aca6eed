/** Where build services say which branch they build; that of a pull request before the one it is to be merged into. */
const variables = [
  'GITHUB_HEAD_REF',
  'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
  'CI_COMMIT_BRANCH',
  'BITBUCKET_BRANCH',
  'BUILDKITE_BRANCH',
  'CIRCLE_BRANCH',
  'TRAVIS_PULL_REQUEST_BRANCH',
  'TRAVIS_BRANCH',
  'SYSTEM_PULLREQUEST_SOURCEBRANCH',
  'BUILD_SOURCEBRANCH',
  'CHANGE_BRANCH',
  'BRANCH_NAME',
  'GIT_BRANCH',
];

/** The branch that a build service says it builds; null when it names none, as for a tag. */
export function branchOfBuild(environment: Readonly<Record<string, string | undefined>>): string | null {
  const { GITHUB_REF_NAME, GITHUB_REF_TYPE, CI_COMMIT_REF_NAME, CI_COMMIT_TAG } = environment;
  const named = [
    ...variables.map((name) => environment[name]),
    GITHUB_REF_TYPE === 'branch' ? GITHUB_REF_NAME : undefined,
    CI_COMMIT_TAG === undefined ? CI_COMMIT_REF_NAME : undefined,
  ];
  const branch = named.find(
    (name) => name !== undefined && name.trim() !== '' && !name.startsWith('refs/tags/'),
  );
  return branch?.trim().replace(/^(?:refs\/heads\/|origin\/)/, '') ?? null;
}
