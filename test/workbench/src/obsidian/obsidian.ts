/** The emulated `obsidian` module: everything under the names that obsidian.d.ts gives it. */
import './realm-gaps';
import * as self from './obsidian-exports';
import { provideModule } from './app/plugin-loader';

export * from './obsidian-exports';

provideModule('obsidian', self);
