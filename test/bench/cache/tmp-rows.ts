
import { measureRows } from '/work/layout18/test/bench/cache/cache-rows';
const figures = await measureRows('/work/layout18/test/support/demo-vault', (w) => console.error(w));
for (const f of figures) if (process.env['ALL'] || ['ollama','anthropic'].includes(f.provider)) console.log(JSON.stringify(f));
