/** One review with something of everything, as a turn of real work leaves it. */
import type { Review } from '../../../../src/core/writing/review/review';
import { changeOf, createOf, deleteOf, reviewOf } from './fake-reviews';

const refit = `---
status: planned
tags:
  - boat
  - work
due: 2026-04-01
---
# Whimbrel refit

The hull is sound below the waterline. The keel bolts were last drawn in 2019 and should be looked at before she goes back in.

| Part | Maker | Price |
| --- | --- | --- |
| Bolts | Nordvik | 40 |
| Paint | Hempel | 85 |
| Rope | Liros | 60 |

## Paint

Two coats of primer, then three of enamel. Sand between each of them and wait a day.

See [the yard](https://yard.example/prices) and [[Bolts|the bolts]].

- [ ] Order bolts
- [ ] Ask Ines about the crane
`;

const refitAfter = refit
  .replace('status: planned', 'status: active')
  .replace('  - work\n', '  - work\n  - spring\n')
  .replace('should be looked at before she goes back in', 'must be replaced in bronze before she is launched')
  .replace('| Bolts | Nordvik | 40 |', '| Bolts | Nordvik | 46 |')
  .replace('| Paint | Hempel | 85 |', '| Paint | International | 92 |')
  .replace(
    'Two coats of primer, then three of enamel. Sand between',
    'One coat of primer, then two of enamel. Sand lightly between',
  )
  .replace('https://yard.example/prices', 'https://yard-shop.example/prices?from=note')
  .replace(
    '- [ ] Ask Ines about the crane\n',
    '- [x] Ask Ines about the crane\n- [ ] Book the crane\u200b for 2 May\n',
  );

export function sampleReview(): Review {
  const [part] = refitAfter.split('## Paint');
  return reviewOf(
    [
      changeOf(
        {
          id: 'refit',
          from: 'Projects/Whimbrel refit.md',
          to: 'Projects/Whimbrel refit.md',
          before: refit,
          text: refitAfter,
          decision: { hunks: [0, 1, 2, 4, 5, 6], move: true },
          problems: [
            { kind: 'broken-link', path: 'Projects/Whimbrel refit.md', target: 'Bolts', line: 26 },
            { kind: 'lost-task', path: 'Projects/Whimbrel refit.md', task: 'Ask Ines about the crane' },
          ],
        },
        [],
      ),
      createOf(
        'Projects/Keel bolts.md',
        `---\ntype: part\n---\n# Keel bolts\n\nSix bronze bolts, M20 by 300.\n\n\`\`\`dataviewjs\ndv.list(dv.pages())\n\`\`\`\n\n${part?.slice(0, 0) ?? ''}Back to [[Whimbrel refit]].\n`,
        { id: 'bolts' },
      ),
      changeOf({
        id: 'yard',
        from: 'Inbox/Yard.md',
        to: 'People/The yard at Skagen.md',
        before: 'The yard opens at seven.\n\nAsk for Ines.\n',
        text: 'The yard opens at seven, and at eight on Saturdays.\n\nAsk for Ines.\n',
        linkedFrom: Array.from(
          { length: 20 },
          (_, index) => `Journal/2026-03-${String(index + 1).padStart(2, '0')}.md`,
        ),
      }),
      deleteOf('Archive/Old list.md', '# Old list\n\n- Varnish\n- Rope\n', { id: 'old' }),
    ],
    { id: 'set' },
  );
}
