/** For what a schema checks once or a few times: zod makes no code for it, which takes longer than such a check. */
export const checkOnce = { jitless: true } as const;
