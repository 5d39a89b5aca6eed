/** 32 random hexadecimal digits: a name that nothing else has. */
export function randomId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
