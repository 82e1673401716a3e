/** Imported first of all: schemas made after this are checked without generating code at run time. */
import * as z from 'zod/v4';

z.config({ jitless: true });
