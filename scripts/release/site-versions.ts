/** A version of the site. */
export interface SiteVersion {
  /** The folder below the root of the site, with a slash at its end; empty for the root itself. */
  readonly folder: string;
  /** The name that readers see, such as `0.3`, or `next` for the main branch. */
  readonly name: string;
  /** The tag or the branch that it is built from. */
  readonly ref: string;
}

/**
 * Returns the versions of the site: the last release, the main branch, and the last release of each minor version, the newest first.
 * The root comes first, so that the folders of the others are added to it. Before the first release, the root is the main
 * branch. Release candidates are in the main branch alone.
 */
export function planSites(tags: readonly string[], branch: string): SiteVersion[] {
  const releases = tags
    .flatMap((tag) => {
      const [, major, minor, patch] = /^v(\d+)\.(\d+)\.(\d+)$/.exec(tag.trim()) ?? [];
      if (patch === undefined) return [];
      return [{ tag: tag.trim(), numbers: [Number(major), Number(minor), Number(patch)] }];
    })
    .sort(({ numbers: a }, { numbers: b }) => {
      const place = a.findIndex((number, index) => number !== b[index]);
      return place < 0 ? 0 : (b[place] ?? 0) - (a[place] ?? 0);
    });
  const minors = Map.groupBy(releases, ({ numbers: [major, minor] }) => `${major}.${minor}`);
  const next = { folder: 'next/', name: 'next', ref: branch };
  const [last] = releases;
  if (last === undefined) return [{ ...next, folder: '' }, next];
  return [
    { folder: '', name: last.tag.slice(1), ref: last.tag },
    next,
    ...Array.from(minors, ([name, [newest]]) => ({
      folder: `v${name}/`,
      name,
      ref: newest?.tag ?? last.tag,
    })),
  ];
}
