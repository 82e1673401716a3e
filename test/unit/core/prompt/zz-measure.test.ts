import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { listVault } from '../../../../src/core/prompt/vault-listing';
import { vaultListingSection } from '../../../../src/core/prompt/sections/vault-listing';
import { render } from '../../fakes/render-section';
import { folderVault, fakeVault } from '../../fakes/fake-vault';
const enc = new Tiktoken(o200k);
it('measures', () => {
  const vault = folderVault('test/workbench/demo-vault');
  const out: string[] = [];
  for (const w of [2048, 4096, 8192, 16384, 32768, 65536, 131072, 200000, 1000000, 10000000]) {
    const text = render(vaultListingSection, { listing: listVault(vault, { contextWindow: w, attached: [] }) }) ?? '';
    out.push([w, listVault(vault, { contextWindow: w, attached: [] }).form, text.length, Buffer.byteLength(text), enc.encode(text, [], []).length, Math.min(4000, Math.floor(w * 0.02))].join(' '));
    if (w === 1000000) out.push(text.slice(0, 3000));
  }
  const big: Record<string, string> = {};
  for (let d = 0; d < 365; d++) big[`Journal/2026/${String(d % 12 + 1).padStart(2, '0')}/2026-${String(d % 12 + 1).padStart(2, '0')}-${String(Math.floor(d / 12) + 1).padStart(2, '0')}.md`] = `# x\n\n## Tasks\n[[2026-01-01]]`;
  for (const n of [60, 120, 365]) {
    const v = fakeVault(Object.fromEntries(Object.entries(big).slice(0, n)));
    for (const w of [65536, 200000]) { const l = listVault(v, { contextWindow: w, attached: [] }); const t = render(vaultListingSection, { listing: l }) ?? ''; out.push(['journal', n, w, l.form, Buffer.byteLength(t), enc.encode(t, [], []).length].join(' ')); }
  }
  const cjk = fakeVault(Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`研究/会议记录${i}号.md`, `# 会议记录${i}\n\n## 决定事项\n## 下一步计划\n`])));
  for (const w of [65536, 200000]) { const l = listVault(cjk, { contextWindow: w, attached: [] }); const t = render(vaultListingSection, { listing: l }) ?? ''; out.push(['cjk', w, l.form, Buffer.byteLength(t), enc.encode(t, [], []).length].join(' ')); }
  const hashes = fakeVault(Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`z/${(i * 2654435761 % 4294967296).toString(16)}${(i * 40503 % 65536).toString(16)}.md`, ``])));
  for (const w of [65536, 200000]) { const l = listVault(hashes, { contextWindow: w, attached: [] }); const t = render(vaultListingSection, { listing: l }) ?? ''; out.push(['hash', w, l.form, Buffer.byteLength(t), enc.encode(t, [], []).length].join(' ')); }
  process.stdout.write(out.join('\n') + '\n');
});
