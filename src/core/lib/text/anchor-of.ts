/** Returns the fragment by which a heading of a page in Markdown is linked, as GitHub makes it; the site of the documentation does alike. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
