import { z } from 'zod';
import { permissionNames } from '../../account/rights.ts';

/** The rights of the person or program that asks, in a store. */
export const rightsSchema = z.lazy(() =>
  z.object({
    may: z.array(z.enum(permissionNames)),
    /** True where questions can be asked again from the page. */
    canAsk: z.boolean(),
    /** True where the files of datasets can be edited. */
    canEditFiles: z.boolean(),
    /** The name under which the sender acts: the person who is signed in, or who started the server; absent when not known. */
    person: z.string().optional(),
  }),
);
export type Rights = z.infer<typeof rightsSchema>;
