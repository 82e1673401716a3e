/** TableView: the rows of a Markdown table that change, cell by cell. */
import { ChangedText, NoteText } from '../components/changed-text';
import type { TableChange } from './table-rows';

export function TableView({ table: { head, rows } }: { readonly table: TableChange }) {
  return (
    <div class="docent-review-table">
      <table>
        <thead>
          <tr>
            <th />
            {head.map((cell, index) => (
              <th key={index} scope="col" dir="auto">
                <NoteText text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, line, cells }, index) => (
            <tr key={index} class={`is-${kind}`}>
              <td class="docent-review-number">{line}</td>
              {cells.map(({ parts, isChanged }, column) => (
                <td key={column} class={isChanged ? 'is-changed' : ''} dir="auto">
                  <ChangedText parts={parts} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
