import { useRouter } from '@tanstack/react-router';

/** Returns whether there is a page with an address, such as `/runs/$run`: a report in one file has few of them. */
export function useHasPage(path: string): boolean {
  return path in useRouter().routesByPath;
}
