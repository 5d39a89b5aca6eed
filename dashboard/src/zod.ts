import { config } from 'zod';

// The content security policy allows no code made from text, which zod would otherwise try to use. Imported before all
// schemas.
config({ jitless: true });
