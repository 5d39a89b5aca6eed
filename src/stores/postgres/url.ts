/** The schema that has the tables where the settings name no other. */
export const defaultSchema = 'touchstone';

/** Returns whether a text is the address of a PostgreSQL database. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text);
}

/** Returns the address of a database for messages: without its password, and without parameters, which may contain one. */
export function describePostgres(url: string, schema: string): string {
  const { username, host, pathname } = new URL(url);
  const user = username === '' ? '' : `${username}@`;
  return `postgres://${user}${host}${pathname}${schema === defaultSchema ? '' : `?schema=${schema}`}`;
}

/** Returns the secrets in an address: its password as it is written and as it is meant, and with the name of the user. */
export function secretsInUrl(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, searchParams } = new URL(url);
  const others = ['password', 'sslpassword'].flatMap((name) => searchParams.getAll(name));
  const own = password === '' ? [] : [password, decode(password), `${username}:${password}`];
  return [...own, ...others].filter((text) => text !== '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
