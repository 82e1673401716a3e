import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { Meter } from '../../../../src/core/prompt/text-budget';
import { buildVaultMap } from '../../../../src/core/prompt/vault-map';
import { folderVault } from '../../fakes/fake-vault';
const enc = new Tiktoken(o200k);
const est = (text: string, w: number, nonLatin: number): number => {
  let tokens = 0;
  for (const [run] of text.matchAll(/[A-Za-z]+|[0-9]+|[^\x00-\x7f]|[^A-Za-z0-9 ]/g)) {
    const c = run.charCodeAt(0);
    if (c > 127) tokens += nonLatin;
    else if (/[0-9]/.test(run)) tokens += Math.ceil(run.length / 3);
    else if (/[A-Za-z]/.test(run)) tokens += Math.ceil(run.length / w);
    else tokens += 1;
  }
  return Math.ceil(tokens);
};
it('measures', () => {
  const vault = folderVault('test/workbench/demo-vault');
  const blocks = buildVaultMap(vault, new Meter(1e9), { level: 6, headings: 24, targets: 8, keys: 12 }, new Set()) ?? [];
  const rnd = (i: number) => (i * 2654435761 % 4294967296).toString(16);
  const samples: Record<string, string> = {
    map: blocks.map((b) => `<folder path="${b.path}">\n${b.text}\n</folder>`).join('\n'),
    list: vault.files().map((f) => f.path).join('\n'),
    journal: Array.from({ length: 300 }, (_, d) => `Journal/2026/${String(d % 12 + 1).padStart(2, '0')}/2026-${String(d % 12 + 1).padStart(2, '0')}-${String(Math.floor(d / 12) + 1).padStart(2, '0')}.md`).join('\n'),
    hash: Array.from({ length: 150 }, (_, i) => `z/${rnd(i + 7)}${rnd(i)}.md`).join('\n'),
    cjk: Array.from({ length: 150 }, (_, i) => `研究/会议记录${i}号.md\n## 决定事项\n## 下一步计划\n議事録を読む メモ 東京大学`).join('\n'),
    german: Array.from({ length: 50 }, (_, i) => `Forschung/Bundesausbildungsförderungsgesetz Änderung ${i}.md\nÜberlegungen zur Größenordnung.md`).join('\n'),
    russian: Array.from({ length: 50 }, (_, i) => `Заметки/Рабочая встреча по проекту ${i}.md\nИсследование рынка.md`).join('\n'),
    arabic: Array.from({ length: 50 }, (_, i) => `ملاحظات/اجتماع العمل ${i}.md`).join('\n'),
    thai: Array.from({ length: 50 }, (_, i) => `บันทึก/การประชุมทีมงาน ${i}.md`).join('\n'),
    camel: Array.from({ length: 50 }, (_, i) => `src/getElementByIdAndClassName${i}.md\nMOC_ProjectXYZ_v2-final.md`).join('\n'),
    emoji: Array.from({ length: 50 }, (_, i) => `📚 Books/👩🏽‍🔬 field ${i}.md`).join('\n'),
    prose: 'See what was found before & compare the values where it holds. Nobody wrote down who had the key, which is missed a year later.\n'.repeat(20),
  };
  for (const [k, t] of Object.entries(samples)) {
    const real = enc.encode(t, [], []).length;
    process.stdout.write(`${k} real ${real} bytes/4 ${(Buffer.byteLength(t) / 4 / real).toFixed(2)} ${[[5, 1], [6, 1], [7, 1], [6, 0.7], [6, 0.5]].map(([w, n]) => `${w}/${n}:${(est(t, w!, n!) / real).toFixed(2)}`).join(' ')}\n`);
  }
});
